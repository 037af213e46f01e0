import CLibrary

/// A failure of the benchmark itself; a sentence.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// What the system refused, and why.
  static func system(_ what: String) -> Failure {
    Failure("\(what): \(String(cString: strerror(errno)))")
  }
}

/// Files as a whole.
enum File {
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Failure.system("cannot read \(path)") }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size) + 1 << 16) {
      buffer,
      filled in
      while count < buffer.count {
        let part = CLibrary.read(
          descriptor,
          buffer.baseAddress.map { $0 + count },
          buffer.count - count
        )
        guard part > 0 else { break }
        count += part
      }
      filled = count
    }
    return bytes
  }

  static func write(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw Failure.system("cannot write \(path)") }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var written = 0
    while written < bytes.count {
      let part = bytes.withUnsafeBytes {
        CLibrary.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      guard part > 0 else { throw Failure.system("cannot write") }
      written += part
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw Failure.system("cannot make \(path)")
    }
  }
}
