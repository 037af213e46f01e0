import TrackEngine

/// Markdown files as they were at a moment.
struct KeptFiles {
  struct File: Equatable {
    let path: Path
    let bytes: [UInt8]
    /// When it was written, and how long it was.
    let stamp: FileStamp
  }

  private(set) var files: [File] = []
  /// When, in milliseconds.
  let moment: Int
  /// Whether there are more than are kept.
  private(set) var isShort: Bool

  /// The most bytes together.
  private static let mostBytes = 1 << 26

  /// Keeps files; what cannot be read is passed over.
  ///
  /// - Parameters:
  ///   - found: Where they are.
  ///   - room: How many bytes may be kept.
  init(_ found: FoundFiles, within room: Int = KeptFiles.mostBytes) {
    moment = Platform.now
    isShort = found.isShort
    var left = room
    for (path, stamp) in found.files {
      guard let bytes = stamp.size <= left ? try? Platform.contents(of: path) : nil else {
        isShort = isShort || stamp.size > left
        continue
      }
      left -= bytes.count
      files.append(File(path: path, bytes: bytes, stamp: stamp))
    }
  }
}

// MARK: - As bytes

extension KeptFiles {
  private static let heading = "critic-lsp guard 1"

  /// Lines that say how long each path and each text is, with these behind them.
  var contents: [UInt8] {
    files.reduce(into: Array("\(KeptFiles.heading)\n\(moment)\n".utf8)) { all, file in
      all += Array("\(file.path.bytes.count) \(file.bytes.count) \(file.stamp.modified)\n".utf8)
      all += file.path.bytes
      all += file.bytes
    }
  }

  /// Reads ``contents``; nil if they are not whole.
  init?(_ contents: [UInt8]) {
    var rest = contents[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    guard line() == KeptFiles.heading, let moment = line().flatMap({ Int($0) }) else { return nil }
    self.moment = moment
    isShort = false
    while !rest.isEmpty {
      let numbers = line()?.split(separator: " ").compactMap { Int($0) } ?? []
      guard numbers.count == 3, numbers[0] > 0, numbers[1] >= 0, numbers[0] <= rest.count,
        numbers[1] <= rest.count - numbers[0], let path = Path(rest.prefix(numbers[0]))
      else { return nil }
      rest = rest.dropFirst(numbers[0])
      let stamp = FileStamp(size: numbers[1], modified: numbers[2])
      files.append(File(path: path, bytes: Array(rest.prefix(numbers[1])), stamp: stamp))
      rest = rest.dropFirst(numbers[1])
    }
  }
}
