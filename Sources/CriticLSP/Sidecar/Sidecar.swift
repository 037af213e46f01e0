import TrackEngine

/// The file that lies beside a text and has its marks; no other code knows both files.
///
/// A text and its sidecar change together or not at all, wherever the process is stopped. While the text is replaced,
/// the sidecar that it gets waits beside it under a name of its own: it counts as soon as the text is its clean text.
struct Sidecar {
  /// The text.
  let text: FilePlace
  /// The sidecar, which need not be there.
  let place: FilePlace
  /// Where the next sidecar waits until the text is replaced.
  let next: FilePlace

  /// The sidecar that a text has or may get.
  ///
  /// - Throws: `Platform.Failure` if there are no more descriptors.
  init(of text: FilePlace) throws(Platform.Failure) {
    let path = text.path.sidecar
    guard let place = text.sibling(text.name.sidecar, path),
      let next = text.sibling(text.name.sidecar + ".new", path)
    else { throw Platform.failure("cannot look for \(path)") }
    (self.text, self.place, self.next) = (text, place, next)
  }

  /// Whether it is there.
  var isThere: Bool { place.status != nil }

  private var language: Language { Language(of: text.path) }

  // MARK: - Reading

  /// What the sidecar holds; nil if there is none.
  ///
  /// - Parameter bytes: What the text holds, which says whether the next one counts.
  /// - Returns: Its bytes.
  /// - Throws: `Platform.Failure` if it cannot be read.
  func contents(besides bytes: [UInt8]) throws(Platform.Failure) -> [UInt8]? {
    guard isThere else { return nil }
    if let next = nextContents(besides: bytes) { return next }
    return try place.contentsIfThere()
  }

  /// What the sidecar holds now; nil if there is none.
  func contents() throws(Platform.Failure) -> [UInt8]? {
    try contents(besides: next.status == nil ? [] : text.contents())
  }

  /// What the next sidecar holds, if the text has been replaced already.
  ///
  /// If somebody has edited the text since then, the one of the two counts that is nearer to it.
  private func nextContents(besides bytes: [UInt8]) -> [UInt8]? {
    guard next.status != nil, let waiting = try? next.contents() else { return nil }
    let distance = distance(of: waiting, from: bytes)
    if distance == 0 { return waiting }
    guard let old = try? place.contents() else { return nil }
    return distance < self.distance(of: old, from: bytes) ? waiting : nil
  }

  /// How many bytes the text of a sidecar has to lose and to get to become a text.
  private func distance(of sidecar: [UInt8], from bytes: [UInt8]) -> Int {
    [Edit](making: bytes, of: clean(of: sidecar, inFormOf: bytes), as: language)
      .reduce(0) { $0 + $1.range.count + $1.new.count }
  }

  /// The clean text of a sidecar, in the form of a text.
  private func clean(of sidecar: [UInt8], inFormOf bytes: [UInt8]) -> [UInt8] {
    let marked = sidecar.inForm(of: bytes)
    return Reading(of: marked, as: language).text(.clean, of: marked)
  }

  /// Ends what somebody was stopped at, while the text is locked.
  ///
  /// - Parameter bytes: What the text holds.
  /// - Throws: `Platform.Failure` if the folder cannot be written to.
  private func recover(besides bytes: [UInt8]) throws(Platform.Failure) {
    guard next.status != nil else { return }
    // Without a sidecar it is of one that somebody has removed.
    if !isThere || nextContents(besides: bytes) == nil {
      try next.remove()
    } else {
      try next.rename(to: place)
    }
  }

  /// Ends what somebody was stopped at, unless another process is at it, or nothing can be written here.
  func recover() {
    guard next.status != nil else { return }
    try? text.withLock { (bytes) throws(Platform.Failure) in try recover(besides: Array(bytes)) }
  }

  /// The text with its marks, and with what has become of it since they were written.
  ///
  /// - Throws: `Platform.Failure` if it cannot be read, or the sidecar cannot be used.
  func markedContents() throws(Platform.Failure) -> [UInt8] {
    for _ in 0..<Sidecar.maxReadings {
      let state = FileState(text.status)
      let bytes = try text.contents()
      let sidecar = try contents(besides: bytes)
      // Else somebody has changed both meanwhile.
      guard state == FileState(text.status) else { continue }
      return try marked(bytes, sidecar)
    }
    throw Platform.Failure(
      description: "\(text.path) is written to by another program again and again; try it later"
    )
  }

  /// How often to begin again because the text is changed while the sidecar is read.
  private static let maxReadings = 20

  private func marked(
    _ bytes: [UInt8],
    _ sidecar: [UInt8]?,
    by author: AuthorName? = nil
  ) throws(Platform.Failure) -> [UInt8] {
    try Sidecar.marked(bytes, sidecar, of: text.path, by: author)
  }

  /// A text with its marks, and with what has become of it since they were written.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - sidecar: What its sidecar holds; nil if there is none.
  ///   - path: The text's path, which tells its language, and for messages.
  ///   - author: Who is named on what was changed since; nil to name nobody.
  /// - Returns: The text with the marks.
  /// - Throws: `Platform.Failure` if the sidecar cannot be used.
  static func marked(
    _ bytes: [UInt8],
    _ sidecar: [UInt8]?,
    of path: Path,
    by author: AuthorName? = nil
  ) throws(Platform.Failure) -> [UInt8] {
    let options = Tracker.Options(
      Language(of: path),
      attribution: author.map { TrackEngine.Attribution(author: $0.name) }
    )
    switch SidecarReading(of: Text(bytes), sidecar, options) {
    case .inline: return bytes
    case .beside(let projection): return projection.record.bytes
    case .refused(let refusal):
      throw Platform.Failure(description: refusal.sentence(of: "\(path)"))
    }
  }

  // MARK: - Changing both

  /// Changes a text with its marks, which lie beside it, in one step; see `FilePlace.change(with:_:)`.
  ///
  /// - Parameters:
  ///   - author: Who is named on what was changed in the text since the sidecar was written; nil to name nobody.
  ///   - make: Makes the new text with marks of the old one; nil if it stays. It may be called several times.
  /// - Returns: How many names (hard links) the text had, of which only this one is changed; 0 if nothing was written.
  /// - Throws: `Platform.Failure`, and what `make` throws; then nothing was written.
  func change(
    by author: AuthorName? = nil,
    _ make: ([UInt8]) throws(Platform.Failure) -> [UInt8]?
  ) throws(Platform.Failure) -> Int {
    try changeBoth { (bytes, sidecar) throws(Platform.Failure) in
      guard let new = try make(marked(bytes, sidecar, by: author)) else { return nil }
      // It has gone meanwhile.
      if sidecar == nil { return (new, nil) }
      return (Reading(of: new, as: language).text(.clean, of: new), new)
    }
  }

  /// Moves the marks of the text into the sidecar.
  ///
  /// - Returns: As `change(by:_:)` does.
  /// - Throws: `Platform.Failure` if that cannot be done; then nothing was written.
  func moveBeside() throws(Platform.Failure) -> Int {
    try changeBoth { (bytes, sidecar) throws(Platform.Failure) in
      if let sidecar {
        let reading = SidecarReading(of: Text(bytes), sidecar, Tracker.Options(language))
        switch reading {
        case .inline: break
        case .beside(let projection) where projection.record.bytes == bytes: break
        case .beside:
          throw Platform.Failure(description: "\(text.path) has its marks in \(place.path) already")
        case .refused(let refusal):
          throw Platform.Failure(description: refusal.sentence(of: "\(text.path)"))
        }
      }
      let clean = Reading(of: bytes, as: language).text(.clean, of: bytes)
      let projection = Projection(record: Text(bytes), options: Tracker.Options(language))
      let refusal = "\(text.path): its marks cannot be put beside it"
      switch SidecarReading(of: Text(clean), bytes, Tracker.Options(language)) {
      case .beside where projection.text.hash == TextHash(of: clean): return (clean, bytes)
      case .refused(let found):
        throw Platform.Failure(description: "\(refusal), for it \(found.reason)")
      default: throw Platform.Failure(description: refusal)
      }
    }
  }

  /// Moves the marks back into the text, and removes the sidecar.
  ///
  /// - Returns: As `change(by:_:)` does.
  /// - Throws: `Platform.Failure` if that cannot be done; then nothing was written.
  func moveInline() throws(Platform.Failure) -> Int {
    try changeBoth { (bytes, sidecar) throws(Platform.Failure) in
      guard let sidecar else {
        throw Platform.Failure(
          description: "\(text.path) has no record: there is no \(place.path)"
        )
      }
      return (try marked(bytes, sidecar), nil)
    }
  }

  /// Moves the sidecar to where another program has moved its text.
  ///
  /// - Parameter new: The sidecar that the text has there, which must not be there yet.
  /// - Returns: Whether there was one to move, and the text is gone here and is there.
  /// - Throws: `Platform.Failure` if it cannot be moved; then nothing was.
  func move(to new: Sidecar) throws(Platform.Failure) -> Bool {
    guard isThere, text.status == nil, new.text.status != nil else { return false }
    try new.text.withLock { (bytes) throws(Platform.Failure) in
      guard !new.isThere else {
        throw Platform.Failure(description: "\(new.place.path) is there already")
      }
      // Somebody may have been stopped between the two.
      if nextContents(besides: Array(bytes)) != nil {
        try next.rename(to: new.place)
        try place.remove()
      } else {
        try place.rename(to: new.place)
        if next.status != nil { try next.remove() }
      }
    }
    return true
  }

  /// Writes the sidecar of a text that another program writes, or removes it, unless somebody else has changed it.
  ///
  /// It is removed only if the text holds the same. One that somebody has removed is written again where the text is
  /// its clean text.
  ///
  /// - Parameters:
  ///   - new: What it is to hold, in any line ends; nil to remove it.
  ///   - isKnown: Whether it holds what it is known to hold; nil stands for no sidecar.
  /// - Throws: `Platform.Failure` if that cannot be done; then nothing was written.
  func write(
    _ new: [UInt8]?,
    over isKnown: ([UInt8]?) -> Bool
  ) throws(Platform.Failure) {
    if new == nil, !isThere { return }
    guard text.status != nil else {
      // It may be written later.
      guard isKnown(isThere ? try place.contents() : nil) else { throw changed }
      guard let new else { throw Platform.Failure(description: "\(text.path) is gone") }
      if next.status != nil { try next.remove() }
      return try place.writeNew(new, like: text)
    }
    _ = try changeBoth(within: FilePlace.serverPatience) { (bytes, old) throws(Platform.Failure) in
      if old == nil, let new, clean(of: new, inFormOf: bytes) == bytes { return (bytes, new) }
      guard isKnown(old) else { throw changed }
      guard let old else { return new.map { (bytes, $0) } }
      guard let new else {
        guard old.holdsSame(as: bytes) else {
          throw Platform.Failure(description: "\(place.path) has what \(text.path) has not")
        }
        return (bytes, nil)
      }
      return (bytes, new.withLineEnds(of: old).withByteOrderMark(of: old))
    }
  }

  private var changed: Platform.Failure {
    Platform.Failure(
      description: isThere ? "another program has changed \(place.path)" : "\(place.path) is gone"
    )
  }

  /// Changes the text and the sidecar in one step.
  ///
  /// - Parameters:
  ///   - patience: How long to wait while another process of ours changes them, in milliseconds.
  ///   - make: Makes what both hold then, of what they hold now: no sidecar is nil. It may be called several times. If
  ///     both are changed, the text is the clean text of the sidecar, or what a sidecar holds that comes or goes. Nil if
  ///     both stay.
  /// - Returns: As `change(by:_:)` does.
  /// - Throws: `Platform.Failure`, and what `make` throws; then nothing was written.
  private func changeBoth(
    within patience: Int = FilePlace.patience,
    _ make: ([UInt8], [UInt8]?) throws(Platform.Failure) -> (text: [UInt8], sidecar: [UInt8]?)?
  ) throws(Platform.Failure) -> Int {
    let companion = SidecarChange(of: self)
    return try text.change(with: companion, within: patience) { (bytes) throws(Platform.Failure) in
      let bytes = Array(bytes)
      if !companion.hasPut { try recover(besides: bytes) }
      let old = try companion.begin()
      guard let new = try make(bytes, old) else { return nil }
      let text = new.text == bytes ? nil : new.text
      companion.plan(old, new.sidecar, with: text)
      return text.map { text in { output in output.append(text) } }
    }
  }
}

extension FilePlace {
  /// The sidecar that lies beside the file; nil if there is none.
  var sidecar: Sidecar? {
    guard let sidecar = try? Sidecar(of: self), sidecar.isThere else { return nil }
    return sidecar
  }

  /// The contents of the file with its marks, wherever they are.
  ///
  /// What was changed in the file since its sidecar was written is recorded in them; nothing is written.
  ///
  /// - Throws: `Platform.Failure` if it cannot be read, or the sidecar cannot be used.
  func markedContents() throws(Platform.Failure) -> [UInt8] {
    guard let sidecar else { return try contents() }
    return try sidecar.markedContents()
  }

  /// Changes the file with its marks in one step, wherever they are; see ``Sidecar/change(by:_:)``.
  func changeMarked(
    by author: AuthorName? = nil,
    _ make: ([UInt8]) throws(Platform.Failure) -> [UInt8]?
  ) throws(Platform.Failure) -> Int {
    let names = try changeAlone { (bytes) throws(Platform.Failure) in
      try make(Array(bytes)).map { new in { output in output.append(new) } }
    }
    if let names { return names }
    return try Sidecar(of: self).change(by: author, make)
  }

  /// Changes the file in one step, as `change(with:_:)` does, if its marks are in it.
  ///
  /// - Parameter make: As there.
  /// - Returns: As there; nil if there is a sidecar, which another process may just have made.
  /// - Throws: `Platform.Failure`, and what `make` throws; then nothing was written.
  func changeAlone(
    _ make: (UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> Writing?
  ) throws(Platform.Failure) -> Int? {
    let place = try Sidecar(of: self)
    if place.isThere { return nil }
    var isBeside = false
    let names = try change { (bytes) throws(Platform.Failure) in
      isBeside = place.isThere
      return isBeside ? nil : try make(bytes)
    }
    return isBeside ? nil : names
  }

  /// The contents of the file; nil if there is none.
  func contentsIfThere() throws(Platform.Failure) -> [UInt8]? {
    do throws(Platform.Failure) {
      return try contents()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

extension Sidecar {
  /// The sidecar that lies beside the file at a path; nil if there is none.
  private static func beside(_ path: Path) -> Sidecar? {
    // A pipe has no folder to look in.
    path == "-" ? nil : (try? FilePlace(path))?.sidecar
  }

  /// Whether a sidecar lies beside a file.
  static func isBeside(_ path: Path) -> Bool { beside(path) != nil }

  /// Whether a file is a sidecar, by its name, and its text is not there.
  static func isOrphan(_ path: Path) -> Bool {
    guard let text = path.sidecarText, !text.name.splitAtExtension.end.bytes.isEmpty else {
      return false
    }
    return Platform.isGone(text)
  }

  /// The contents of a file, or of standard input for `-`, with its marks, wherever they are.
  static func markedContents(of path: Path) throws(Platform.Failure) -> [UInt8] {
    guard let sidecar = beside(path) else { return try Platform.contents(of: path) }
    return try sidecar.markedContents()
  }
}

extension Path {
  /// What the name of a sidecar has behind that of its text.
  static let sidecarSuffix: Path = ".critic"

  /// The sidecar of this file.
  var sidecar: Path { self + Path.sidecarSuffix }

  /// The file whose sidecar this is, by its name; nil if it is none.
  var sidecarText: Path? {
    let end = Path.sidecarSuffix.bytes
    guard bytes.count > end.count, bytes.suffix(end.count).elementsEqual(end) else { return nil }
    return Path(bytes.dropLast(end.count))
  }
}
