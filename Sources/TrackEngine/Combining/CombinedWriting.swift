/// Writes changes, highlights and comments into an original text, and sees that they read as meant.
struct CombinedWriting {
  /// The text with what is written.
  private(set) var text: [UInt8]
  /// What is not.
  private(set) var left: [Item] = []

  /// The text that was copied, and that text with everything rejected.
  private let base: [UInt8]
  private let original: [UInt8]
  private let language: Language
  private let items: [Item]

  /// How often the text is read; what is not written by then is left.
  private static let mostReadings = 512

  /// A change, a highlight or lone comments.
  struct Item {
    enum Kind {
      case piece(CombinedPiece)
      case annotation(Annotation)
    }
    let kind: Kind

    /// Where it begins in the original text.
    var start: Int { old.lowerBound }

    fileprivate var old: Range<Int> {
      switch kind {
      case .piece(let piece): piece.old
      case .annotation(let annotation): annotation.old
      }
    }

    /// How it is written if nothing is in the way.
    var plain: [UInt8] {
      switch kind {
      case .piece(let piece): piece.forms.first ?? []
      case .annotation(let annotation): annotation.thread.bytes
      }
    }

    fileprivate var formCount: Int {
      switch kind {
      case .piece(let piece): piece.forms.count
      case .annotation(let annotation): annotation.delimiters == nil ? 1 : 2
      }
    }
  }

  init(
    _ base: [UInt8],
    _ original: [UInt8],
    _ language: Language,
    _ pieces: [CombinedPiece],
    _ annotations: [Annotation]
  ) {
    (self.base, self.original, self.language) = (base, original, language)
    text = original
    let items =
      pieces.map { Item(kind: .piece($0)) } + annotations.map { Item(kind: .annotation($0)) }
    self.items = items.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  /// Writes all that can be written.
  mutating func write() {
    let writing = self
    let written = VerifiedWriting(
      of: items.indices,
      atMost: Self.mostReadings,
      first: { _ in 0 },
      others: { item, _ in Array(1..<max(1, writing.items[item].formCount)) },
      where: { writing.reads($0) }
    )
    if !written.forms.isEmpty { text = made(written.forms).text }
    left = written.refused.map { items[$0] }
    // Without a mark of the text that was copied its text may be read as marks.
    if Reading(of: text, as: language).text(.original, of: text) != original {
      text = base
      let own = ownItems
      left = items.filter { !(own[$0.old] ?? []).contains($0.plain) }
    }
  }

  /// How the changes, highlights and lone comments of the text that was copied are written there, by the stretch of the
  /// original text.
  private var ownItems: [Range<Int>: [[UInt8]]] {
    let text = VariantText(.original, of: base, as: language)
    return text.reading.changes.reduce(into: [:]) { own, change in
      let old = text.range(ofMarkup: change.markRange)
      let annotation = Annotation(change, at: old, in: base)
      own[old, default: []].append(
        change.kind.isChange ? Array(base[change.range]) : annotation.thread.bytes
      )
    }
  }

  /// What stands at a place of the original text.
  private struct Event {
    let range: Range<Int>
    /// At one place highlights end first, then come comments, insertions, highlights that begin, and replacements.
    let rank: Int
    /// Of highlights that begin together the longest comes first, of those that end the shortest.
    let order: Int
    let bytes: [UInt8]
    let clean: [UInt8]
    /// How many marks end in it.
    let marks: Int

    init(
      _ range: Range<Int>,
      _ rank: Int,
      order: Int,
      _ bytes: [UInt8],
      marks: Int,
      clean: [UInt8] = []
    ) {
      (self.range, self.rank, self.order) = (range, rank, order)
      (self.bytes, self.marks, self.clean) = (bytes, marks, clean)
    }
  }

  /// Whether items that are written in some forms all read as meant.
  private func reads(_ forms: [Int: Int]) -> Bool {
    let made = made(forms)
    let reading = Reading(of: made.text, as: language)
    return reading.marks.count == made.marks
      && Claim(clean: made.clean, original: original).isKept(by: made.text, reading)
  }

  /// What an item that is written in some form puts into the text.
  private func events(of index: Int, as form: Int) -> [Event] {
    func marks(in bytes: [UInt8]) -> Int { Reading(of: bytes, as: language).marks.count }
    switch items[index].kind {
    case .piece(let piece):
      let (rank, bytes) = (piece.old.isEmpty ? 2 : 4, piece.forms[form])
      let count = marks(in: bytes)
      return [Event(piece.old, rank, order: index, bytes, marks: count, clean: piece.clean)]
    case .annotation(let annotation):
      let (start, end) = (annotation.old.lowerBound, annotation.old.upperBound)
      let thread = annotation.thread.bytes
      let count = marks(in: thread)
      guard let (opener, closer) = annotation.delimiters, form == 0 else {
        return [Event(end..<end, 1, order: index, thread, marks: count)]
      }
      // A highlight of new text alone is around what is inserted there.
      let (first, last) = start == end ? (1, 3) : (3, 0)
      return [
        Event(start..<start, first, order: -end, opener, marks: 0),
        Event(end..<end, last, order: -start, closer + thread, marks: 1 + count),
      ]
    }
  }

  /// The text with what is written, what accepting everything in it must give, and how many marks it has.
  private func made(_ forms: [Int: Int]) -> (text: [UInt8], clean: [UInt8], marks: Int) {
    let events = forms.flatMap { self.events(of: $0, as: $1) }.sorted {
      ($0.range.lowerBound, $0.rank, $0.order) < ($1.range.lowerBound, $1.rank, $1.order)
    }
    return (
      original.applying(events.map { Edit($0.range, $0.bytes) }),
      original.applying(events.map { Edit($0.range, $0.clean) }),
      events.reduce(0) { $0 + $1.marks }
    )
  }
}
