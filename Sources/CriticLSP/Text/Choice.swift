import JSONRPC

extension JSON {
  /// A member; nil if it is missing.
  ///
  /// - Throws: `ResponseError` that says what is expected.
  func argument<Value>(
    _ name: StaticString,
    _ expected: @autoclosure () -> String,
    _ read: (JSON) -> Value?
  ) throws(ResponseError) -> Value? {
    guard let given = self[name], !given.isNull else { return nil }
    if let value = read(given) { return value }
    throw .invalidParams("\(name) must be \(expected()), not \(given).")
  }

  /// A member that is one of several values, given by words; nil if it is missing.
  func choice<Value>(
    _ name: StaticString,
    _ values: [Value],
    _ word: (Value) -> String
  ) throws(ResponseError) -> Value? {
    try argument(name, values.map(word).quotedAlternatives) { given in
      values.first { word($0) == given.string }
    }
  }
}

extension [String] {
  /// The words as what may be chosen from: `a, b or c`.
  var alternatives: String {
    "\(dropLast().joined(separator: ", ")) or \(last ?? "")"
  }

  /// The same with quotation marks: `"a", "b" or "c"`.
  var quotedAlternatives: String { map { "\"\($0)\"" }.alternatives }
}
