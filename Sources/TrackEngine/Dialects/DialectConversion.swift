/// The conversion of a text from the dialects in which its marks are written to one of them.
///
/// Both readings of the text stay as they are, byte for byte, and so do all marks: only what is said of them is written in
/// another way. What the dialect cannot say is in ``losses``.
public struct DialectConversion: Sendable {
  /// The edits of the text.
  public private(set) var edits: [Edit] = []
  /// What the dialect cannot say, by where its mark begins.
  public private(set) var losses: [Loss] = []

  /// Converts a text; linear, but for marks that would not read as the same.
  ///
  /// - Parameters:
  ///   - bytes: The marked-up text.
  ///   - language: Its language.
  ///   - dialect: The dialect to write.
  public init(of bytes: [UInt8], as language: Language, to dialect: Dialect) {
    let converter = Converter(AnnotatedText(bytes, as: language), dialect)
    let written = converter.writable
    edits = converter.edits(of: written)
    losses = converter.losses(of: written)
  }
}

/// The notes of a text and how they would be in another dialect.
private struct Converter {
  let text: AnnotatedText
  let dialect: Dialect
  /// What the dialect can say of each note; nil for those that stay as they are.
  private var sayable: [Note?] = []
  private var told: [[Loss.What]] = []
  /// Notes that can only be converted together, since they have a footnote in common.
  private var groups: [[Int]] = []
  /// What the dialect can say of the comments that belong to no mark; nil if the endmatter stays for their sake.
  private var loose: [Said]?
  private var toldOfLoose: [Loss.What] = []

  init(_ text: AnnotatedText, _ dialect: Dialect) {
    self.text = text
    self.dialect = dialect
    for note in text.notes {
      let isKnown = note.footnotes.allSatisfy { text.footnoteRanges[$0] != nil }
      if note.isIn(dialect) {
        sayable.append(nil)
        told.append([])
      } else if !isKnown {
        sayable.append(nil)
        told.append([.footnote])
      } else if note.isMixed {
        sayable.append(nil)
        told.append([.mixed])
      } else {
        let (kept, losses) = dialect.sayable(note)
        sayable.append(kept)
        told.append(losses)
      }
    }
    group()
    addLoose()
  }

  private mutating func addLoose() {
    var loose: [Said] = []
    toldOfLoose = text.looseLosses
    for comment in text.looseComments {
      let note = Note(marks: [], comments: [comment], range: 0..<0)
      let (kept, losses) = dialect.sayable(note)
      guard let kept else { return }
      loose += kept.comments
      toldOfLoose += losses
    }
    self.loose = loose
    if text.endmatter != nil, !keepsReadings([]) { self.loose = nil }
  }

  private mutating func group() {
    var places: [[UInt8]: Int] = [:]
    for index in text.notes.indices {
      let known = text.notes[index].footnotes.compactMap { places[$0] }.sorted()
      let place = known.first ?? groups.count
      if place == groups.count { groups.append([]) }
      groups[place].append(index)
      for other in Set(known) where other != place {
        groups[place] += groups[other]
        groups[other] = []
        for id in places.filter({ $0.value == other }).keys { places[id] = place }
      }
      for id in text.notes[index].footnotes { places[id] = place }
    }
    // All that a footnote is about, or nothing.
    groups = groups.filter { group in
      !group.isEmpty && group.allSatisfy { sayable[$0] != nil }
    }
  }

  /// The notes that can be converted, all together.
  var writable: Set<Int> {
    let writing = VerifiedWriting(
      of: groups.indices,
      first: { groups[$0] },
      where: { keepsReadings(Set($0.values.joined())) }
    )
    return Set(writing.forms.values.joined())
  }

  /// Whether the text is read as before where some notes are converted.
  private func keepsReadings(_ written: Set<Int>) -> Bool {
    let result = text.bytes.applying(edits(of: written))
    let converted = AnnotatedText(result, as: text.reading.language)
    let endmatter = removesEndmatter(written) ? text.endmatter.map { [$0.range] } ?? [] : []
    let claim = text.reading.claim(of: text.bytes, without: endmatter)
    guard claim.isKept(by: result, converted.reading) else { return false }
    var expected = text.notes.indices.flatMap { index in
      (written.contains(index) ? sayable[index] : nil)?.lines ?? text.notes[index].lines
    }
    var found = converted.notes.flatMap(\.lines)
    let loose = removesEndmatter(written) ? loose : text.looseComments
    expected += (loose ?? []).map { Note.Line(kind: .comment, said: $0) }
    found += converted.looseComments.map { Note.Line(kind: .comment, said: $0) }
    return expected == found
  }

  /// Whether nothing in the endmatter is needed any more.
  private func removesEndmatter(_ written: Set<Int>) -> Bool {
    guard dialect != .roughdraft, loose != nil, let endmatter = text.endmatter else { return false }
    return text.notes.indices.allSatisfy { index in
      written.contains(index) || text.notes[index].ids.allSatisfy { endmatter[$0] == nil }
    }
  }

  /// The edits that convert some notes.
  func edits(of written: Set<Int>) -> [Edit] {
    var edits: [Edit] = []
    var writer = NoteWriter(dialect, in: text)
    var footnotes: Set<[UInt8]> = []
    for index in text.notes.indices where written.contains(index) {
      guard let note = sayable[index] else { continue }
      let (marks, thread) = writer.write(note)
      for (mark, metadata) in zip(note.marks, marks) {
        let isLast = mark == note.marks.last
        let end = isLast ? note.range.upperBound : mark.end
        edits.append(Edit(mark.attributes, metadata.attributes))
        edits.append(Edit(mark.head, metadata.head))
        edits.append(Edit(mark.tail.lowerBound..<end, metadata.tail + (isLast ? thread : [])))
      }
      if marks.isEmpty { edits.append(Edit(note.range, thread)) }
      footnotes.formUnion(note.footnotes)
    }
    for id in footnotes {
      if let range = text.footnoteRanges[id] { edits.append(Edit(range, [])) }
    }
    var end = text.bytes.count..<text.bytes.count
    var loose: [UInt8] = []
    if removesEndmatter(written), let endmatter = text.endmatter {
      end = endmatter.range
      for comment in self.loose ?? [] { loose += writer.write(loose: comment) }
    }
    edits.append(Edit(end, loose + writer.footnotes))
    return edits.filter { $0.new[...] != text.bytes[$0.range] }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// What is not said where some notes are converted.
  func losses(of written: Set<Int>) -> [Loss] {
    var losses: [Loss] = []
    for (index, note) in text.notes.enumerated() {
      let stays = sayable[index] != nil && !written.contains(index)
      let told = stays ? [.unwritable] : self.told[index]
      losses += told.map { Loss(what: $0, offset: note.range.lowerBound) }
    }
    if let endmatter = text.endmatter, dialect != .roughdraft {
      let told = removesEndmatter(written) ? toldOfLoose : [.endmatter]
      losses += told.map { Loss(what: $0, offset: endmatter.range.lowerBound) }
    }
    return losses
  }
}

extension Note {
  /// Whether it says nothing that would be written in another way.
  fileprivate func isIn(_ dialect: Dialect) -> Bool {
    dialects.isSubset(of: [dialect]) || dialect == .changedown && !footnotes.isEmpty
  }
}
