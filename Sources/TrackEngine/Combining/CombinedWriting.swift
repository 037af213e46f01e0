/// Writes changes, highlights and comments into an original text, and sees that they read as meant.
struct CombinedWriting {
  /// The text with what is written.
  private(set) var text: [UInt8]
  /// What is not.
  private(set) var left: [Item] = []

  private let original: [UInt8]
  private let items: [Item]
  /// The form in which each item is written.
  private var forms: [Int: Int] = [:]
  private var readings = 0

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
    var start: Int {
      switch kind {
      case .piece(let piece): piece.old.lowerBound
      case .annotation(let annotation): annotation.old.lowerBound
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

  init(_ original: [UInt8], _ pieces: [CombinedPiece], _ annotations: [Annotation]) {
    self.original = original
    text = original
    let items =
      pieces.map { Item(kind: .piece($0)) } + annotations.map { Item(kind: .annotation($0)) }
    self.items = items.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  /// Writes all that can be written.
  mutating func write() { write(items.indices) }

  private mutating func write(_ range: Range<Int>) {
    if range.isEmpty || write(range, in: 0) { return }
    if range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      write(range.lowerBound..<middle)
      write(middle..<range.upperBound)
      return
    }
    let item = items[range.lowerBound]
    for form in 0..<item.formCount where form > 0 && write(range, in: form) { return }
    left.append(item)
  }

  /// Writes items beside those that are written, if all read as meant then.
  private mutating func write(_ range: Range<Int>, in form: Int) -> Bool {
    guard readings < Self.mostReadings else { return false }
    readings += 1
    let known = forms
    for index in range { forms[index] = form }
    let made = made()
    let reading = Reading(of: made.text, as: .markdown)
    if made.text.hasVariants(original, made.clean, as: .markdown),
      reading.marks.count == made.marks
    {
      text = made.text
      return true
    }
    forms = known
    return false
  }

  /// What stands at a place of the original text.
  private struct Event {
    var range: Range<Int>
    /// At one place highlights end first, then come comments, insertions, highlights that begin, and replacements.
    var rank: Int
    /// Of highlights that begin together the longest comes first, of those that end the shortest.
    var order: Int
    var bytes: [UInt8]
    var clean: [UInt8] = []
    /// How many marks end in it.
    var marks: Int
  }

  /// The text with what is written, what accepting everything in it must give, and how many marks it has.
  private func made() -> (text: [UInt8], clean: [UInt8], marks: Int) {
    var events: [Event] = []
    for (index, form) in forms {
      switch items[index].kind {
      case .piece(let piece):
        events.append(
          Event(
            range: piece.old,
            rank: piece.old.isEmpty ? 2 : 4,
            order: index,
            bytes: piece.forms[form],
            clean: piece.clean,
            marks: Reading(of: piece.forms[form], as: .markdown).marks.count
          )
        )
      case .annotation(let annotation):
        let (start, end) = (annotation.old.lowerBound, annotation.old.upperBound)
        let thread = annotation.thread.bytes
        let comments = Reading(of: thread, as: .markdown).marks.count
        guard let (opener, closer) = annotation.delimiters, form == 0 else {
          events.append(
            Event(range: end..<end, rank: 1, order: index, bytes: thread, marks: comments)
          )
          continue
        }
        // A highlight of new text alone is around what is inserted there.
        events.append(
          Event(
            range: start..<start,
            rank: start == end ? 1 : 3,
            order: -end,
            bytes: opener,
            marks: 0
          )
        )
        events.append(
          Event(
            range: end..<end,
            rank: start == end ? 3 : 0,
            order: -start,
            bytes: closer + thread,
            marks: 1 + comments
          )
        )
      }
    }
    events.sort {
      ($0.range.lowerBound, $0.rank, $0.order) < ($1.range.lowerBound, $1.rank, $1.order)
    }
    var (text, clean): ([UInt8], [UInt8]) = ([], [])
    var at = 0
    var marks = 0
    for event in events {
      text += original[at..<event.range.lowerBound]
      text += event.bytes
      clean += original[at..<event.range.lowerBound]
      clean += event.clean
      at = event.range.upperBound
      marks += event.marks
    }
    text += original[at...]
    clean += original[at...]
    return (text, clean, marks)
  }
}
