@testable import CriticLSP

extension Path {
  /// A path in UTF-8, without a NUL.
  init(_ text: String) { self = Path(Array(text.utf8)) ?? "" }
}

extension DocumentKey: ExpressibleByStringLiteral {
  /// The document of a URI.
  public init(stringLiteral uri: String) { self.init(uri: uri) }
}

extension Folder {
  func file(_ name: String) -> Path { Path(path(name)) }
}
