import CLibrary

extension Platform {
  /// Makes large allocations go back to the system as soon as they are freed.
  ///
  /// By default the GNU C library starts to keep them for reuse after it has seen a few.
  static func setUpMemory() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 1 << 20)
    #endif
  }

  /// Returns free memory to the system; takes milliseconds.
  static func giveMemoryBack() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }
}
