import CLibrary

extension Platform {
  /// The absolute path of this program's file, without links; nil if the system does not tell.
  static var program: Path? {
    #if canImport(Darwin)
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      var size = UInt32(path.count)
      guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
      return path.withUnsafeBufferPointer {
        $0.baseAddress.map { Path(cString: $0) }.flatMap(realPath)
      }
    #else
      return realPath(of: "/proc/self/exe")
    #endif
  }

  /// The command line, without the program's name; of any encoding, as paths are.
  static var arguments: [Path] {
    #if canImport(Glibc) && compiler(>=6.3)
      guard var argument = givenArguments.map({ $0 + 1 }) else { return [] }
      var arguments: [Path] = []
      while let text = argument.pointee {
        arguments.append(Path(cString: text))
        argument += 1
      }
      return arguments
    #else
      return (1..<max(1, Int(CommandLine.argc))).compactMap {
        CommandLine.unsafeArgv[$0].map { Path(cString: $0) }
      }
    #endif
  }
}

#if canImport(Glibc) && compiler(>=6.3)
  private typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Written once, before there are other threads.
  nonisolated(unsafe) private var givenArguments: Texts?

  /// Called by the C library before the Swift runtime starts.
  ///
  /// The runtime reads the command line, and the path of its backtrace program, from `/proc`. Without `/proc`,
  /// as in a chroot, it would have no arguments and end the process.
  @used
  @section(".init_array.00101")
  private let start: @convention(c) (Int32, Texts?, Texts?) -> Void = { _, arguments, _ in
    givenArguments = arguments
    guard access("/proc/self/exe", F_OK) != 0 else { return }
    setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 1)
  }
#endif
