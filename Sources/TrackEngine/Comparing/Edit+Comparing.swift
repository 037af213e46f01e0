extension [Edit] {
  /// The edits that make a text of another, as an editor comparing the two would describe them.
  ///
  /// Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - new: The text that they make.
  ///   - old: The text that they are of.
  public init(making new: [UInt8], of old: [UInt8]) {
    self = old.withUnsafeBufferPointer { oldBytes in
      new.withUnsafeBufferPointer { newBytes in
        // The language only matters for how it looks.
        textChanges(oldBytes, newBytes, as: .markdown, sparing: [])
          .map { Edit($0.old, [UInt8](newBytes[$0.new])) }
      }
    }
  }
}
