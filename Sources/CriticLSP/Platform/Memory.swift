#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Has long stretches of memory go back to the system as soon as they are free.
  ///
  /// Left to itself the GNU C library keeps them, once it has seen a few, for the next of their length.
  static func setUpMemory() {
    #if canImport(Glibc)
      _ = setOption(-3, 1 << 20)  // M_MMAP_THRESHOLD
    #endif
  }

  /// Gives back to the system what is free; takes milliseconds.
  static func giveMemoryBack() {
    #if canImport(Glibc)
      _ = trimMemory(0)
    #endif
  }
}

#if canImport(Glibc)
  // The module leaves out <malloc.h>.
  @_silgen_name("mallopt") private func setOption(_ parameter: Int32, _ value: Int32) -> Int32
  @_silgen_name("malloc_trim") private func trimMemory(_ kept: Int) -> Int32
#endif
