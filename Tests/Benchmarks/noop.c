// A language server that does nothing: it cuts its input into messages and answers every request with null. What it
// costs is what the wire costs, so it is the floor that ours is measured against.
//
// With a file as its argument it answers each didOpen by sending that file too, in a frame.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, HEAD = 256 };

static char input[CHUNK];
static size_t start, end;

// The next byte, or -1 at the end of the input.
static int next(void) {
  if (start == end) {
    ssize_t count = read(0, input, CHUNK);
    if (count <= 0) return -1;
    start = 0;
    end = (size_t)count;
  }
  return (unsigned char)input[start++];
}

// The length of the next message; -1 at the end of the input.
static long header(void) {
  char line[HEAD];
  long length = 0;
  for (;;) {
    size_t count = 0;
    int byte;
    while ((byte = next()) != '\n') {
      if (byte < 0) return -1;
      if (byte != '\r' && count < HEAD - 1) line[count++] = (char)byte;
    }
    if (count == 0) return length;
    line[count] = 0;
    sscanf(line, "Content-Length: %ld", &length);
  }
}

static void put(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(1, bytes, length);
    if (count <= 0) exit(0);
    bytes += count;
    length -= (size_t)count;
  }
}

// What is sent after a didOpen, framed; empty without a file.
static char *list = "";
static size_t listLength;

static void load(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0) exit(2);
  list = malloc((size_t)status.st_size + HEAD);
  listLength = (size_t)sprintf(list, "Content-Length: %ld\r\n\r\n", (long)status.st_size);
  ssize_t count;
  while ((count = read(file, list + listLength, CHUNK)) > 0) listLength += (size_t)count;
}

int main(int count, char **arguments) {
  char head[HEAD], body[HEAD], reply[2 * HEAD];
  if (count > 1) load(arguments[1]);
  for (;;) {
    long length = header();
    if (length < 0) return 0;
    // Only the beginning of a message is looked at, where the client writes the method and the id.
    size_t kept = 0;
    while (length > 0) {
      int byte = next();
      if (byte < 0) return 0;
      if (kept < HEAD - 1) head[kept++] = (char)byte;
      long rest = (long)(end - start) < length - 1 ? (long)(end - start) : length - 1;
      size_t part = (size_t)rest < HEAD - 1 - kept ? (size_t)rest : HEAD - 1 - kept;
      memcpy(head + kept, input + start, part);
      kept += part;
      start += (size_t)rest;
      length -= 1 + rest;
    }
    head[kept] = 0;
    if (strstr(head, "\"method\":\"exit\"")) return 0;
    if (listLength > 0 && strstr(head, "/didOpen\"")) put(list, listLength);
    char *id = strstr(head, "\"id\":");
    if (!id) continue;
    int size = sprintf(body, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":null}", atol(id + 5));
    put(reply, (size_t)sprintf(reply, "Content-Length: %d\r\n\r\n%s", size, body));
  }
}
