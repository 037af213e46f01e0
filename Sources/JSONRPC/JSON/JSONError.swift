/// Why a document is not JSON, and where.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The offset of the first invalid byte; the length of a document that ends early.
  public let offset: Int
  /// What is wrong, as the middle of a sentence.
  public let reason: String

  init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// Reason and place in one line.
  public var description: String { "\(reason) at byte \(offset)" }
}
