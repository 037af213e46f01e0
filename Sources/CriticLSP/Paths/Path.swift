/// A path in the file system: bytes, of any encoding or none.
///
/// It is compared as what it is. A `String` would not do: it takes the two spellings of é, one scalar or two, for
/// one, while they are two files.
///
/// Invariant: it holds no NUL, which is what ends it in C.
struct Path: Hashable, Sendable {
  /// The bytes and a NUL, so that no system call needs a copy.
  private let terminated: [UInt8]

  /// The bytes; nil if one of them is NUL.
  init?(_ bytes: some Sequence<UInt8>) {
    self.init(terminated: bytes + [0])
    guard !self.bytes.contains(0) else { return nil }
  }

  /// A string of C.
  init(cString: UnsafePointer<CChar>) {
    var length = 0
    while cString[length] != 0 { length += 1 }
    self.init(terminated: (0...length).map { UInt8(bitPattern: cString[$0]) })
  }

  private init(terminated: [UInt8]) { self.terminated = terminated }

  var bytes: ArraySlice<UInt8> { terminated.dropLast() }

  /// The names between the slashes.
  var components: [ArraySlice<UInt8>] { bytes.split(separator: Path.slash) }

  var isAbsolute: Bool { bytes.first == Path.slash }

  /// The last name; of the root, and of nothing, itself.
  var name: Path { components.last.map { Path(terminated: $0 + [0]) } ?? self }

  /// What is before the last name, with the slash; empty if there is nothing.
  var folder: Path {
    let end = bytes.lastIndex(of: Path.slash).map { $0 + 1 } ?? 0
    return Path(terminated: bytes[..<end] + [0])
  }

  /// The folder that it is in, as it can be opened: the working directory if it names none.
  var openFolder: Path { folder.bytes.isEmpty ? "." : folder }

  /// What is before the last name's extension, and the extension with its dot; a hidden file's name is none.
  var splitAtExtension: (stem: Path, end: Path) {
    let last = folder.bytes.count
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > last else { return (self, "") }
    return (Path(terminated: bytes[..<dot] + [0]), Path(terminated: Array(terminated[dot...])))
  }

  /// The same without slashes at its end; the root stays.
  var withoutSlash: Path {
    let end = bytes.lastIndex { $0 != Path.slash }.map { $0 + 1 } ?? min(1, bytes.count)
    return Path(terminated: bytes[..<end] + [0])
  }

  /// The path from a folder on; nil if it is not in that folder, nor in one in it.
  ///
  /// Only names are compared, so both have to be free of links and of `..`.
  func from(_ folder: Path) -> Path? {
    let (own, others) = (components, folder.components)
    guard isAbsolute == folder.isAbsolute, own.count > others.count,
      own.starts(with: others, by: ==)
    else { return nil }
    return Path(terminated: own[others.count...].joined(separator: [Path.slash]) + [0])
  }

  /// Calls a closure with the bytes and a NUL.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    terminated.withUnsafeBytes { bytes in
      // There is a base address, since there is a NUL.
      bytes.baseAddress.map { body($0.assumingMemoryBound(to: CChar.self)) } ?? body("")
    }
  }

  /// A path in a folder.
  static func / (folder: Path, name: Path) -> Path {
    let isOpen = folder.bytes.isEmpty || folder.bytes.last == slash
    return Path(terminated: folder.bytes + (isOpen ? [] : [slash]) + name.terminated)
  }

  /// A path with something behind it.
  static func + (path: Path, suffix: Path) -> Path {
    Path(terminated: path.bytes + suffix.terminated)
  }

  static let slash = UInt8(ascii: "/")
}

extension Path: Comparable {
  /// By name, folder by folder: `a/z` comes before `a.md`.
  static func < (path: Path, other: Path) -> Bool {
    // With the slash before all else, which no name holds.
    path.bytes.lexicographicallyPrecedes(other.bytes) { byte, other in
      other != slash && (byte == slash || byte < other)
    }
  }
}

extension Path: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A path of the program's own.
  init(stringLiteral text: StaticString) { self.init(cString: text.description) }

  /// For messages: what is not UTF-8 is shown as U+FFFD.
  var description: String { String(decoding: bytes, as: UTF8.self) }
}
