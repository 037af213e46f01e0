#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Makes large allocations go back to the system as soon as they are freed.
  ///
  /// By default the GNU C library starts to keep them for reuse after it has seen a few.
  static func setUpMemory() {
    #if canImport(Glibc)
      _ = setOption(-3, 1 << 20)  // M_MMAP_THRESHOLD
    #endif
  }

  /// Returns free memory to the system; takes milliseconds.
  static func giveMemoryBack() {
    #if canImport(Glibc)
      _ = trimMemory(0)
    #endif
  }
}

#if canImport(Glibc)
  // Not in the Glibc module: <malloc.h>.
  @_silgen_name("mallopt") private func setOption(_ parameter: Int32, _ value: Int32) -> Int32
  @_silgen_name("malloc_trim") private func trimMemory(_ kept: Int) -> Int32
#endif
