import TrackEngine

/// Files that may be open in an editor, which then is their owner.
extension FilePlace {
  /// Where an edit was made.
  enum Edited {
    /// In the editor that has the file open.
    case inEditor
    /// In the file, which had so many names, of which only this one is changed; 0 if nothing was written.
    case inFile(names: Int)
  }

  /// The text that an editor shows, if one has the file open, or else the contents of the file.
  ///
  /// - Throws: `Platform.Failure` if it is not to be had.
  func shownContents() throws(Platform.Failure) -> [UInt8] {
    if let shown = try FileOwner.text(of: self) { return shown }
    return try markedContents()
  }

  /// Has proposals put in by the editor that has the file open, or else into the file, which is replaced in one step.
  ///
  /// - Parameter edits: Computes the edits; called again if the text has changed meanwhile.
  /// - Returns: Where they are now.
  /// - Throws: `Platform.Failure`, and what `edits` throws; then nothing was changed.
  func propose(
    _ edits: ([UInt8]) throws(Platform.Failure) -> [Edit]
  ) throws(Platform.Failure) -> Edited {
    if try FileOwner.change(self, isProposal: true, edits) { return .inEditor }
    let names = try changeMarked { (old) throws(Platform.Failure) in
      let edits = try edits(old)
      return edits.isEmpty ? nil : old.applying(edits)
    }
    return .inFile(names: names)
  }
}
