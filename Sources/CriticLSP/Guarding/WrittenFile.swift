import TrackEngine

/// A file that may have been written by a program while its writer had it, whose changes become proposals then.
struct WrittenFile {
  /// As it was before.
  let old: KeptFiles.File
  /// When it was so last, in milliseconds.
  let moment: Int
  /// Who is named on each change.
  let author: AuthorName?

  private var language: Language { Language(of: old.path) }

  /// What was done, and the text that the file has then.
  typealias Settled = (outcome: Outcome, text: [UInt8])

  enum Outcome: Equatable {
    /// It is as it was, or says what was changed by itself.
    case untouched
    /// Its editor has saved it.
    case saved
    /// What was changed is proposed; so many marks of before have no place in it.
    case proposed(inEditor: Bool, left: Int)
    case gone
  }

  /// How often to begin again because the file is written to meanwhile.
  private static let attempts = 10
  /// How long an editor may take to tell what it has saved, in milliseconds.
  private static let savingTime = Server.savingTime

  /// Makes proposals of what was changed: in the editor that has it open, which gets its file back as it was, or else in
  /// the file.
  ///
  /// - Throws: `Platform.Failure` if it cannot be; nothing is lost then.
  func settle() throws(Platform.Failure) -> Settled {
    var outcome = Outcome.untouched
    for _ in 0..<WrittenFile.attempts {
      if Platform.isGone(old.path) { return (.gone, []) }
      let place = try FilePlace(old.path)
      let found = try place.contents()
      guard found != old.bytes else { return (outcome, found) }
      guard let base = base(of: found, in: place) else {
        return (outcome == .untouched ? .saved : outcome, found)
      }
      if let proposed = try propose(found, madeOf: base, in: place) {
        outcome = proposed.outcome
        if let text = proposed.text { return (outcome, text) }
      }
    }
    throw Platform.Failure(
      description: "\(old.path) is written to by another program again and again"
    )
  }

  /// What the file had before a program wrote it; nil if it is what its writer has saved.
  private func base(of found: [UInt8], in place: FilePlace) -> [UInt8]? {
    guard let file = place.number else { return old.bytes }
    switch FileOwner.saved(found, in: file, since: moment) {
    case .byEditor?: return nil
    case nil: return isSavedByLast(found) ? nil : old.bytes
    case .byAnother?: break
    }
    Platform.sleep(WrittenFile.savingTime)
    guard case .byAnother(let saved)? = FileOwner.saved(found, in: file, since: moment) else {
      return nil
    }
    return saved?.withByteOrderMark(of: old.bytes) ?? old.bytes
  }

  /// Whether a text is what the last editor that had the file open saved in it.
  private func isSavedByLast(_ text: [UInt8]) -> Bool {
    guard let path = Platform.realPath(of: old.path), let folder = BaselineFolder.standard,
      let stamp = Platform.stamp(of: path)
    else { return false }
    return BaselineFolder(path: folder).hasSaved(
      TextHash(of: text),
      in: .file(path),
      at: stamp.modified
    )
  }

  /// Proposes what a program made of a text.
  ///
  /// - Parameters:
  ///   - found: What it made.
  ///   - base: The text.
  ///   - place: The file.
  /// - Returns: What was done, and the text of the file; nil in the place of either if it is another one by now.
  /// - Throws: `Platform.Failure` if the file cannot be read or written.
  private func propose(
    _ found: [UInt8],
    madeOf base: [UInt8],
    in place: FilePlace
  ) throws(Platform.Failure) -> (outcome: Outcome, text: [UInt8]?)? {
    var last: (carrying: Carrying, hands: TwoHands, isThere: Bool)?
    let isInEditor = try? FileOwner.change(place, isProposal: true) { shown in
      let hands = TwoHands(shown, found, of: base, as: language)
      let carrying = carry(hands.own, onto: hands.all)
      let marked = hands.all.applying(carrying.edits)
      let edits = [Edit](making: marked, of: shown, as: language)
      last = (carrying, hands, edits.isEmpty)
      return edits
    }
    if isInEditor == true, let (carrying, hands, isThere) = last {
      let outcome =
        isThere ? .untouched : Outcome.proposed(inEditor: true, left: carrying.left.count)
      // What its editor has read is the editor's to write.
      if hands.isRead { return (outcome, found) }
      return (outcome, try put(base, over: found, in: place) ? base : nil)
    }
    if let sidecar = place.sidecar {
      // The marks are beside the text, and so is what was changed.
      _ = try sidecar.change(by: author) { $0 }
      return (.proposed(inEditor: false, left: 0), found)
    }
    // Also where the editor takes nothing now, so that no text is without its marks.
    let carrying = carry(base, onto: found)
    let new = found.applying(carrying.edits)
    if new == found { return (.untouched, found) }
    guard try put(new, over: found, in: place) else { return nil }
    return (.proposed(inEditor: false, left: carrying.left.count), new)
  }

  private func carry(_ base: [UInt8], onto new: [UInt8]) -> Carrying {
    var options = Carrying.Options(language)
    options.author = author
    options.isAppending = true
    return Carrying(of: base, onto: new, options)
  }

  /// Puts a text into the file, if that has another one still; returns whether it had.
  private func put(
    _ text: [UInt8],
    over found: [UInt8],
    in place: FilePlace
  ) throws(Platform.Failure) -> Bool {
    let names = try place.change { bytes in
      bytes.elementsEqual(found) ? { $0.append(text) } : nil
    }
    // To an editor that looks at the time it is the file that it knows.
    if names > 0, text == old.bytes { place.setWritingTime(old.stamp.modified) }
    return names > 0
  }
}
