import JSONRPC

extension JSON {
  /// A member that is one of several values, given by words; nil if it is missing.
  ///
  /// - Throws: `ResponseError` that lists the words.
  func choice<Value>(
    _ name: StaticString,
    _ values: [Value],
    _ word: (Value) -> String
  ) throws(ResponseError) -> Value? {
    guard let given = self[name], !given.isNull else { return nil }
    if let value = values.first(where: { word($0) == given.string }) { return value }
    throw .invalidParams("\(name) must be \(values.map(word).quotedAlternatives), not \(given).")
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
