/// Text that was removed from a document, in parts that the states of a burst share.
///
/// A value. Adding to it costs what is added, and a part, however long it is: of many texts that were removed one
/// letter at a time, each holds only one part of its own.
struct RemovedText: Sendable {
  private(set) var parts: [[UInt8]] = []
  private(set) var count = 0

  /// Parts of together no more bytes are joined.
  private static let longestJoined = 1024

  init(_ bytes: [UInt8] = []) {
    append(bytes)
  }

  var bytes: [UInt8] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = parts.last, last.count + bytes.count <= RemovedText.longestJoined {
      parts[parts.count - 1] = last + bytes
    } else {
      parts.append(bytes)
    }
  }

  mutating func append(_ text: RemovedText) {
    for part in text.parts { append(part) }
  }
}

extension RemovedText: Equatable {
  static func == (left: RemovedText, right: RemovedText) -> Bool {
    left.count == right.count && left.bytes == right.bytes
  }
}
