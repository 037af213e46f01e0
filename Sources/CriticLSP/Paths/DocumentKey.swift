/// Which document is meant, however its URI is spelled: the one place where two are told apart.
enum DocumentKey: Hashable, Comparable, Sendable {
  /// A file of this machine.
  case file(Path)
  /// Any other URI: in ASCII, the scheme and the letter of a drive in lower case, with as few escapes as say
  /// the same.
  case other(String)

  /// The document of a URI.
  ///
  /// `file:/x` and `FILE://localhost/x` are the file `/x`. A name cannot hold a slash, so an escaped one is not
  /// what parts names, and the URI no file of this machine; nor is one with a NUL, or with a drive.
  init(uri: String) {
    let bytes = Array(uri.utf8)
    self =
      DocumentKey.path(of: bytes).map { .file($0) } ?? .other(DocumentKey.normalized(bytes))
  }

  /// The path, if it is a file of this machine.
  var path: Path? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Whether it is a file that JupyterLab makes of the cells of a notebook.
  var isCellsOfNotebook: Bool {
    path?.components.contains { $0.elementsEqual(".virtual_documents".utf8) } ?? false
  }

  /// A URI of the document, in ASCII.
  var uri: String {
    switch self {
    case .file(let path): "file://\(PercentEncoding.encoded(path.bytes))"
    case .other(let uri): uri
    }
  }

  /// The last part, for messages.
  var name: String {
    switch self {
    case .file(let path): path.name.description
    case .other(let uri): uri.split(separator: "/").last.map(String.init) ?? uri
    }
  }

  private static func path(of uri: [UInt8]) -> Path? {
    guard let colon = uri.firstIndex(of: UInt8(ascii: ":")),
      uri[..<colon].elementsEqual("file".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    var start = colon + 1
    if uri[start...].starts(with: "//".utf8) {
      start = uri[(start + 2)...].firstIndex(of: Path.slash) ?? uri.count
      let host = String(decoding: uri[(colon + 3)..<start], as: UTF8.self)
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
    }
    guard start < uri.count, uri[start] == Path.slash else { return nil }
    var bytes = Array(uri[start...])
    if bytes.contains(UInt8(ascii: "%")) {
      bytes = []
      while start < uri.count {
        let escaped = PercentEncoding.escape(at: start, in: uri)
        guard escaped != Path.slash else { return nil }
        bytes.append(escaped ?? uri[start])
        start += escaped == nil ? 1 : 3
      }
    }
    return hasDrive(bytes) ? nil : Path(bytes)
  }

  /// Whether a path begins as in `/c:/x`.
  private static func hasDrive(_ path: [UInt8]) -> Bool {
    path.count > 2 && path[2] == UInt8(ascii: ":") && path[1] | 0x20 >= UInt8(ascii: "a")
      && path[1] | 0x20 <= UInt8(ascii: "z") && (path.count == 3 || path[3] == Path.slash)
  }

  private static func normalized(_ uri: [UInt8]) -> String {
    var text = ""
    var index = 0
    while index < uri.count {
      let escaped = PercentEncoding.escape(at: index, in: uri)
      let byte = escaped ?? uri[index]
      // What is not a letter of its own, or would read as something else.
      let isApart = escaped == Path.slash || escaped == UInt8(ascii: "%")
      text +=
        isApart || !(0x20..<0x7F).contains(byte)
        ? PercentEncoding.encoded([byte], leaving: "") : String(UnicodeScalar(byte))
      index += escaped == nil ? 1 : 3
    }
    let scheme = text.prefix { $0 != ":" }
    let rest = text[scheme.endIndex...]
    let isDrive = scheme.lowercased() == "file" && hasDrive(Array(rest.dropFirst(3).utf8))
    let start = isDrive ? rest.prefix(5).lowercased() + rest.dropFirst(5) : String(rest)
    return scheme.lowercased() + start
  }
}
