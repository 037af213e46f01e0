import TrackEngine

/// Files whose marks may be beside them, in a record: design, section 11.
extension FilePlace {
  /// The record that lies beside the file; nil if there is none.
  var record: FilePlace? {
    guard let place = sibling(name.record, path.record), place.status != nil else { return nil }
    return place
  }

  /// The contents of the file with its marks: those of the record, if there is one.
  ///
  /// What was changed in the file since the record was written is recorded in it; nothing is written.
  ///
  /// - Throws: `Platform.Failure` if it cannot be read, or if the record is of another text.
  func markedContents() throws(Platform.Failure) -> [UInt8] {
    let bytes = try contents()
    guard let record else { return bytes }
    return try marked(bytes, record.contents())
  }

  /// Changes the file with its marks in one step; see ``change(_:)``.
  ///
  /// If the marks are in a record, that is changed, and then the file is its clean text.
  ///
  /// - Parameters:
  ///   - author: Who is named on what was changed in the file since the record was written; nil to name nobody.
  ///   - make: Makes the new text with marks of the old one; nil if it stays. It may be called several times.
  /// - Returns: How many names (hard links) the file had, of which only this one is changed; 0 if nothing was written.
  /// - Throws: `Platform.Failure`, and what `make` throws.
  func changeMarked(
    by author: AuthorName? = nil,
    _ make: ([UInt8]) throws(Platform.Failure) -> [UInt8]?
  ) throws(Platform.Failure) -> Int {
    guard let record else {
      return try change { (bytes) throws(Platform.Failure) in
        try make(Array(bytes)).map { new in { output in output.append(new) } }
      }
    }
    var known: [UInt8] = []
    var new: [UInt8]?
    // The file first: what is changed in it can be found again, and a newer record would be taken for such a change.
    var names = try change { (bytes) throws(Platform.Failure) in
      known = try record.contents()
      new = try make(marked(Array(bytes), known, by: author))
      guard let new else { return nil }
      let clean = Reading(of: new, as: Language(of: path)).text(.clean, of: new)
      return clean.elementsEqual(bytes) ? nil : { output in output.append(clean) }
    }
    guard let new, new != known else { return names }
    names = max(names, 1)
    _ = try record.change { (bytes) throws(Platform.Failure) in
      guard bytes.elementsEqual(known) else {
        throw Platform.Failure(
          description: "\(record.path) was changed meanwhile; it is left alone"
        )
      }
      return { output in output.append(new) }
    }
    return names
  }

  /// A text with the marks of its record, in which is recorded what has become of it.
  private func marked(
    _ bytes: [UInt8],
    _ record: [UInt8],
    by author: AuthorName? = nil
  ) throws(Platform.Failure) -> [UInt8] {
    // Whoever moved the marks was stopped on the way: they are in the file.
    if record == bytes { return bytes }
    var projection = Projection(
      record: Text(record.withLineEnds(of: bytes).withByteOrderMark(of: bytes)),
      options: Tracker.Options(
        Language(of: path),
        attribution: author.map { TrackEngine.Attribution(author: $0.name) }
      )
    )
    guard projection.text.hash != TextHash(of: bytes) else { return projection.record.bytes }
    guard projection.follow(to: bytes) else {
      throw Platform.Failure(
        description: "\(path.record) is of another text than \(path);"
          + " move it away, or put back the file"
      )
    }
    return projection.record.bytes
  }
}

/// A document with its marks, whether they are in it or beside it.
enum MarkedFile {
  /// Whether a record lies beside a file.
  static func hasRecord(_ path: Path) -> Bool { path != "-" && place(path)?.record != nil }

  /// The contents of a file, or of standard input for `-`, with its marks.
  static func contents(of path: Path) throws(Platform.Failure) -> [UInt8] {
    guard path != "-", let place = place(path), place.record != nil else {
      return try Platform.contents(of: path)
    }
    return try place.markedContents()
  }

  /// A pipe has no folder to look in.
  private static func place(_ path: Path) -> FilePlace? { try? FilePlace(path) }
}
