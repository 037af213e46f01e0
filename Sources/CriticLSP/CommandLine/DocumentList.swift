/// What is listed of a document; that of a long one is listed while it is written, and so never in memory as a whole.
struct DocumentList<Entry: Sendable>: Sendable {
  let path: Path
  private let bytes: [UInt8]
  private let list: @Sendable ([UInt8], (Entry) -> Void) -> Void
  /// Those of a short document.
  private var entries: [Entry]?

  /// In bytes.
  private static var longestAtOnce: Int { 1 << 18 }

  /// - Parameters:
  ///   - path: The document.
  ///   - bytes: Its text.
  ///   - list: Lists what is in a text, entry by entry.
  init(
    _ path: Path,
    _ bytes: [UInt8],
    _ list: @escaping @Sendable ([UInt8], (Entry) -> Void) -> Void
  ) {
    self.path = path
    self.bytes = bytes
    self.list = list
    guard bytes.count <= DocumentList.longestAtOnce else { return }
    var entries: [Entry] = []
    list(bytes) { entries.append($0) }
    self.entries = entries
  }

  func each(_ body: (Entry) -> Void) {
    guard let entries else { return list(bytes, body) }
    for entry in entries { body(entry) }
  }
}
