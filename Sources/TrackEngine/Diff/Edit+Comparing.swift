extension [Edit] {
  /// The edits that make a text of another, as an editor comparing the two would describe them.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - new: The text that they make.
  ///   - old: The text that they are of.
  ///   - language: The language of both.
  public init(making new: [UInt8], of old: [UInt8], as language: Language) {
    self.init(making: new, of: old, as: language, sparing: [])
  }

  /// The same, and beside some offsets text is preferably kept.
  init(making new: [UInt8], of old: [UInt8], as language: Language, sparing marks: [Int]) {
    self = textChanges(old, new, as: language, sparing: marks)
      .map { Edit($0.old, [UInt8](new[$0.new])) }
  }
}
