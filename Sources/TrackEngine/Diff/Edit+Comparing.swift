extension [Edit] {
  /// The edits that make a text of another, as an editor comparing the two would describe them.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - new: The text that they make.
  ///   - old: The text that they are of.
  public init(making new: [UInt8], of old: [UInt8]) {
    // The language only matters for how it looks.
    self.init(making: new, of: old, as: .markdown)
  }

  /// The same for texts in a language, and beside some offsets text is preferably kept.
  init(making new: [UInt8], of old: [UInt8], as language: Language, sparing marks: [Int] = []) {
    self = old.withUnsafeBufferPointer { oldBytes in
      new.withUnsafeBufferPointer { newBytes in
        textChanges(oldBytes, newBytes, as: language, sparing: marks)
          .map { Edit($0.old, [UInt8](newBytes[$0.new])) }
      }
    }
  }
}
