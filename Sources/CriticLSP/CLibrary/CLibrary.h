/// The C library under its own names, also where Swift cannot read them or Swift's module of it leaves them out.
#ifndef C_LIBRARY_H
#define C_LIBRARY_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <copyfile.h>
#include <mach-o/dyld.h>
#else
#include <malloc.h>
#endif

#pragma clang assume_nonnull begin

#define SWIFT(name) __attribute__((swift_name(name))) static inline

/// How many columns a terminal has; 0 if it is none, or does not tell.
SWIFT("columns(of:)") int CLibraryColumns(int file) {
  struct winsize size;
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

#ifdef __APPLE__

SWIFT("getter:stat.writingTime(self:)")
struct timespec CLibraryWritingTime(const struct stat *status) { return status->st_mtimespec; }

SWIFT("getter:stat.changeTime(self:)")
struct timespec CLibraryChangeTime(const struct stat *status) { return status->st_ctimespec; }

#else

SWIFT("getter:stat.writingTime(self:)")
struct timespec CLibraryWritingTime(const struct stat *status) { return status->st_mtim; }

SWIFT("getter:stat.changeTime(self:)")
struct timespec CLibraryChangeTime(const struct stat *status) { return status->st_ctim; }

// Apple's module has what follows.

// GNU's extensions are declared one by one: `_GNU_SOURCE` would have other modules of these headers disagree with this one.
int pipe2(int *ends, int flags);
int mkostemp(char *name, int flags);
void *_Nullable memmem(
  const void *_Nullable bytes, size_t length, const void *_Nullable part, size_t partLength
);
#ifndef O_PATH
#define O_PATH 010000000
#endif
#ifndef F_SETLEASE
#define F_SETLEASE 1024
#define F_GETLEASE 1025
#endif
struct ucred {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

// Changed by this process before it has other threads, if at all.
extern char *_Nullable *_Nonnull environ __attribute__((swift_attr("nonisolated(unsafe)")));

// Swift reads no macro that is more than a number.
SWIFT("getter:errno()") int CLibraryError(void) { return errno; }
SWIFT("setter:errno(_:)") void CLibrarySetError(int error) { errno = error; }

typedef void (*_Nullable CLibraryHandler)(int);
SWIFT("getter:SIG_DFL()") CLibraryHandler CLibraryDefault(void) { return SIG_DFL; }
SWIFT("getter:SIG_IGN()") CLibraryHandler CLibraryIgnore(void) { return SIG_IGN; }

// Swift calls no function of any number of arguments.
SWIFT("open(_:_:)") int CLibraryOpen(const char *path, int flags) { return open(path, flags); }
SWIFT("open(_:_:_:)")
int CLibraryCreate(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

SWIFT("openat(_:_:_:)")
int CLibraryOpenAt(int folder, const char *path, int flags) { return openat(folder, path, flags); }
SWIFT("openat(_:_:_:_:)")
int CLibraryCreateAt(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

SWIFT("fcntl(_:_:)") int CLibraryControl(int file, int command) { return fcntl(file, command); }
SWIFT("fcntl(_:_:_:)")
int CLibraryControlWith(int file, int command, int value) { return fcntl(file, command, value); }

// Of the type that a status has them in, which a macro has not.
#undef S_IFMT
#undef S_IFDIR
#undef S_IFIFO
#undef S_IFLNK
#undef S_IFREG
#undef S_IFSOCK
#undef S_ISUID
#undef S_ISGID
static const mode_t S_IFMT = 0170000;
static const mode_t S_IFDIR = 0040000;
static const mode_t S_IFIFO = 0010000;
static const mode_t S_IFLNK = 0120000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFSOCK = 0140000;
static const mode_t S_ISUID = 0004000;
static const mode_t S_ISGID = 0002000;

#endif

#undef SWIFT

#pragma clang assume_nonnull end

#endif
