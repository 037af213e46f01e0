import TrackEngine

/// A text of a document that clients can show as a document of its own, and that only the server has:
/// `critic://clean/home/writer/draft.md` is the clean text of that file.
///
/// The URI ends with the name of the document, which is what clients show. A document that is no file of this machine
/// stands whole in the query: `critic://clean/Untitled-1?untitled:Untitled-1`.
struct ContentKey: Hashable {
  let variant: Variant
  let document: DocumentKey

  static let scheme = "critic"

  init(_ variant: Variant, of document: DocumentKey) {
    self.variant = variant
    self.document = document
  }

  /// The text of a URI, however its escapes are spelled; nil if it names none.
  ///
  /// `critic:clean/x` means the same as `critic://clean/x`. Vim takes the former for a file's name, so we write the
  /// latter.
  init?(uri: String) {
    guard DocumentKey(uri: uri).isContent else { return nil }
    var rest = Array(uri.utf8)[(ContentKey.scheme.utf8.count + 1)...]
    if rest.starts(with: [Path.slash, Path.slash]) { rest = rest.dropFirst(2) }
    let word = rest.prefix { $0 != Path.slash }
    let path = rest[word.endIndex...]
    guard let variant = Variant.settled.first(where: { word.elementsEqual($0.rawValue.utf8) })
    else { return nil }
    if let mark = path.firstIndex(of: UInt8(ascii: "?")) {
      let query = PercentEncoding.decoded(path[(mark + 1)...])
      self.init(variant, of: DocumentKey(uri: String(decoding: query, as: UTF8.self)))
    } else {
      let file = DocumentKey(uri: "file://\(String(decoding: path, as: UTF8.self))")
      guard file.path != nil else { return nil }
      self.init(variant, of: file)
    }
  }

  /// The URI, in ASCII.
  var uri: String {
    let start = "\(ContentKey.scheme)://\(variant.rawValue)"
    switch document {
    case .file(let path): return start + PercentEncoding.encoded(path.bytes)
    case .other(let uri):
      let name = PercentEncoding.encoded(ContentKey.name(in: Array(uri.utf8)), leaving: "")
      // The escapes of the URI are escaped, so that a client may spell the others as it likes.
      return "\(start)/\(name)?\(PercentEncoding.encoded(uri.utf8, leaving: "/:"))"
    }
  }

  /// The last part of a URI's path, without escapes.
  private static func name(in uri: [UInt8]) -> [UInt8] {
    let path = uri.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let start = path.lastIndex { $0 == Path.slash || $0 == UInt8(ascii: ":") }
    return PercentEncoding.decoded(path[(start.map { $0 + 1 } ?? 0)...])
  }
}

extension DocumentKey {
  /// Whether it is a text of ours that a client shows: it is neither tracked nor listed.
  var isContent: Bool {
    if case .other(let uri) = self { uri.hasPrefix("\(ContentKey.scheme):") } else { false }
  }
}
