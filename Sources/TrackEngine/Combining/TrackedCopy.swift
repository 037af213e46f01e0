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

  private let clean: VariantText

  /// Reads a text with marks, of which rejecting everything gives the original text.
  init(of base: [UInt8]) {
    self.init(base, of: base, isCarried: false, by: [])
  }

  /// Reads a copy; changes that are not in marks are found by comparing.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - base: The text that was copied, with its marks.
  ///   - original: That text with everything rejected.
  init(_ copy: Combination.Copy, of base: [UInt8], _ original: [UInt8]) {
    let bytes = copy.bytes.withLineEnds(of: base)
    let editor = Array(copy.author.name.utf8)
    func isTracked(_ text: [UInt8]) -> Bool {
      VariantText(.original, of: text, as: .markdown).bytes == original
    }
    if isTracked(bytes) {
      self.init(bytes, of: bytes, isCarried: false, by: editor)
      return
    }
    if case .lost = MarkLoss(of: base, in: bytes, as: .markdown) {
      let carried = bytes.applying(
        Carrying(of: base, onto: bytes, Carrying.Options(.markdown)).edits
      )
      if isTracked(carried) {
        self.init(carried, of: carried, isCarried: true, by: editor)
        return
      }
    }
    self.init(
      comparison(of: base, and: bytes, as: .markdown),
      of: bytes,
      isCarried: false,
      by: editor
    )
  }

  private init(_ bytes: [UInt8], of copy: [UInt8], isCarried: Bool, by editor: [UInt8]) {
    (self.bytes, self.isCarried, self.editor) = (bytes, isCarried, editor)
    let original = VariantText(.original, of: bytes, as: .markdown)
    let clean = VariantText(.clean, of: bytes, original.reading)
    let known = bytes == copy ? nil : VariantText(.clean, of: copy, as: .markdown)
    let own = known.map { text in
      Set(text.reading.changes.filter(\.kind.isChange).map { text.range(of: $0.markRange) })
    }
    let footnotes = Footnotes(of: bytes)
    var units: [Unit] = []
    var annotations: [Annotation] = []
    var differences: [Difference] = []
    for change in original.reading.changes {
      let (old, new) = (original.range(of: change.markRange), clean.range(of: change.markRange))
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
  }
}

extension VariantText {
  /// The stretch of the variant that a stretch of the marked-up text shows.
  fileprivate func range(of stretch: Range<Int>) -> Range<Int> {
    offset(ofMarkup: stretch.lowerBound)..<offset(ofMarkup: stretch.upperBound)
  }
}

// MARK: - What is written

extension TrackedCopy {
  /// Who made some of its changes, each once; the editor, if nobody is named or nothing is changed.
  func heads(of members: Range<Int>) -> [[UInt8]] {
    let heads = units[members].map { $0.head ?? editor }
    return heads.isEmpty
      ? [editor]
      : heads.reduce(into: []) { known, head in
        if !known.contains(head) { known.append(head) }
      }
  }

  /// The marks of a change as they are written.
  func marks(of unit: Unit) -> [UInt8] { Array(bytes[unit.change.markRange]) }

  /// The comments of a change: those that follow it.
  func thread(of unit: Unit) -> CommentThread { CommentThread(unit.change.thread, in: bytes) }

  /// The comments on some changes and in them, without those that only name who made them.
  func comments(of members: Range<Int>) -> CommentThread {
    CommentThread(
      units[members].flatMap { clean.comments(in: $0.change.range) }
        .filter { !$0.isAttribution(in: bytes) },
      in: bytes
    )
  }
}
