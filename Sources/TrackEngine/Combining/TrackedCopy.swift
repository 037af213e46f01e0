/// A copy of a text, as its changes of the original text.
struct TrackedCopy {
  /// A change of the copy.
  struct Unit {
    let change: Change
    /// Who made it, as the head of a comment says it; nil if nobody is named.
    let head: [UInt8]?
    /// Whether it is a mark of the copy's own, and not found by comparing.
    let isOwn: Bool
  }

  /// The copy with all its changes in marks: rejecting everything gives the original text.
  let bytes: [UInt8]
  /// Its changes, in order.
  let units: [Unit]
  /// Its highlights and lone comments.
  let annotations: [Annotation]
  /// The same changes, as differences from the original text.
  let version: Version
  /// Whether its marks were carried from the text that was copied: what it lacks was not removed by anybody.
  let isCarried: Bool
  /// Who edited the copy, as the head of a comment says it.
  let editor: [UInt8]

  /// What it changed in the text of deletions, which is in neither text: where in the original text, and the mark.
  let left: [(place: Int, mark: [UInt8])]

  /// The comments that the copy has kept where it accepted what they are on, and that are left to the text that was copied.
  private(set) var leftToBase: [[UInt8]] = []

  private let clean: VariantText

  /// Reads a text with marks, of which rejecting everything gives the original text.
  init(of base: [UInt8], as language: Language) {
    self.init(base, of: base, language, isCarried: false, by: [])
  }

  /// Reads a copy; changes that are not in marks are found by comparing.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - base: The text that was copied, with its marks.
  ///   - original: That text with everything rejected.
  ///   - language: The language of all.
  ///   - leavesThreads: Whether the comments on what the copy accepted stay where the copy has them.
  init(
    _ copy: Combination.Copy,
    of base: [UInt8],
    _ original: [UInt8],
    as language: Language,
    leavesThreads: Bool
  ) {
    var bytes = copy.bytes.withLineEnds(of: base).withAnnotations(of: base)
    let editor = Array(copy.author.name.utf8)
    func isTracked(_ text: [UInt8]) -> Bool {
      VariantText(.original, of: text, as: language).bytes == original
    }
    if isTracked(bytes) {
      self.init(bytes, of: bytes, language, isCarried: false, by: editor)
      return
    }
    let source = VariantText(.original, of: base, as: language)
    let deleted = source.reading.changes.filter(\.kind.isChange)
      .map { source.range(ofMarkup: $0.markRange) }
    if case .lost = MarkLoss(of: base, in: bytes, as: language) {
      let carried = bytes.applying(
        Carrying(of: base, onto: bytes, Carrying.Options(language)).edits
      )
      if isTracked(carried) {
        self.init(carried, of: carried, language, isCarried: true, by: editor)
        return
      }
    }
    let threads = leavesThreads ? [] : bytes.threadsOfAccepted(in: base, as: language)
    let leftToBase = threads.map { Array(bytes[$0]) }
    bytes = bytes.applying(threads.map { Edit($0, []) })
    self.init(
      comparison(of: base, and: bytes, as: language),
      of: bytes,
      language,
      deleting: deleted,
      isCarried: false,
      by: editor
    )
    self.leftToBase = leftToBase
  }

  private init(
    _ bytes: [UInt8],
    of copy: [UInt8],
    _ language: Language,
    deleting deleted: [Range<Int>] = [],
    isCarried: Bool,
    by editor: [UInt8]
  ) {
    (self.bytes, self.isCarried, self.editor) = (bytes, isCarried, editor)
    let original = VariantText(.original, of: bytes, as: language)
    let clean = VariantText(.clean, of: bytes, original.reading)
    let known = bytes == copy ? nil : VariantText(.clean, of: copy, as: language)
    let own = known.map { text in
      Set(text.reading.changes.filter(\.kind.isChange).map { text.range(ofMarkup: $0.markRange) })
    }
    let footnotes = Footnotes(of: bytes)
    var units: [Unit] = []
    var annotations: [Annotation] = []
    var differences: [Difference] = []
    for change in original.reading.changes {
      let marks = change.markRange
      let (old, new) = (original.range(ofMarkup: marks), clean.range(ofMarkup: marks))
      guard change.kind.isChange else {
        annotations.append(Annotation(change, at: old, in: bytes))
        continue
      }
      let attribution = change.attribution(in: bytes, footnotes)
      let head = attribution.author == nil ? nil : Array(attribution.head.utf8.dropFirst())
      units.append(Unit(change: change, head: head, isOwn: own?.contains(new) ?? true))
      differences.append(Difference(old, new))
    }
    (self.units, self.annotations, self.clean) = (units, annotations, clean)
    version = Version(clean.bytes, differences)
    left = known?.changes(of: deleted, notIn: differences.joiningTouching, original.bytes) ?? []
  }
}

extension VariantText {
  /// The changes of the text of which this is the clean one that replace what differences do not replace.
  ///
  /// - Parameters:
  ///   - deleted: What the text that was copied replaces of the original text.
  ///   - differences: From the original text to this one, in order; no two touch.
  ///   - original: The original text.
  /// - Returns: Where each is in the original text, and its marks.
  fileprivate func changes(
    of deleted: [Range<Int>],
    notIn differences: [Difference],
    _ original: [UInt8]
  ) -> [(place: Int, mark: [UInt8])] {
    reading.changes.compactMap { change in
      let old = change.old(in: reading, markup)
      guard change.kind.isChange, !old.isEmpty else { return nil }
      let range = range(ofMarkup: change.markRange)
      let next = differences.partitioningIndex { $0.new.upperBound >= range.lowerBound }
      let near = differences[next...].prefix { $0.new.lowerBound <= range.upperBound }
      guard
        let first = near.first(where: { near in deleted.contains { $0.overlaps(near.old) } }),
        !near.contains(where: { original[$0.old].firstRange(of: old[...]) != nil })
      else { return nil }
      return (first.old.lowerBound, Array(markup[change.markRange]))
    }
  }
}

// MARK: - What is written

extension TrackedCopy {
  /// Who made some of its changes, each once; the editor, if nobody is named or nothing is changed.
  func heads(of members: Range<Int>) -> [[UInt8]] {
    let heads = units[members].map { $0.head ?? editor }.unique
    return heads.isEmpty ? [editor] : heads
  }

  /// The marks of a change as they are written.
  func marks(of unit: Unit) -> [UInt8] { Array(bytes[unit.change.markRange]) }

  /// The comments of a change: those that follow it.
  func thread(of unit: Unit) -> CommentThread { CommentThread(unit.change.thread, in: bytes) }

  /// The comments on some changes and in them, without those that only name who made them.
  func comments(of members: Range<Int>) -> CommentThread {
    CommentThread(
      units[members].flatMap { clean.reading.comments(in: $0.change.range) }
        .filter { !$0.isAttribution(in: bytes) },
      in: bytes
    )
  }
}
