import TrackEngine

/// What other programs have proposed in a document since its review was last done, and what was made of it meanwhile.
///
/// All texts have everything in marks.
struct ReviewRound {
  /// The text after each proposal, and before the next.
  private(set) var texts = TextSequence()
  /// Whether the writer has said that it is done, and nobody was told.
  private(set) var isDone = false
  /// Whether the writer was told that somebody waits.
  var isTold = false

  /// Whether there are proposals whose review is not done.
  var isOpen: Bool { !texts.isEmpty && !isDone }

  /// Notes a proposal that has landed.
  ///
  /// Linear.
  /// - Parameters:
  ///   - before: The text before it.
  ///   - after: The text with it.
  mutating func note(before: [UInt8], after: [UInt8]) {
    if !texts.isEmpty { texts.append(before) }
    texts.append(after)
    isDone = false
  }

  /// Notes that the review is done.
  mutating func finish() { (isDone, isTold) = (true, false) }
}

/// Texts of which each is like the one before, kept as what differs.
struct TextSequence {
  /// Nil if there is none.
  private(set) var first: [UInt8]?
  /// What makes each of the next of the one before.
  private(set) var steps: [Edit] = []
  private var last: [UInt8] = []

  var isEmpty: Bool { first == nil }

  /// Linear in the text.
  mutating func append(_ text: [UInt8]) {
    if first == nil {
      first = text
    } else {
      steps.append(Edit(0..<last.count, text).trimmed(replacing: last[...]))
    }
    last = text
  }

  /// The texts.
  var all: [[UInt8]] {
    guard let first else { return [] }
    return steps.reduce(into: [first]) { $0.append($0[$0.count - 1].applying([$1])) }
  }
}

extension TextSequence {
  /// Makes a sequence of what another process says; nil if a step does not fit its text.
  init?(_ first: [UInt8], _ steps: [Edit]) {
    self.init()
    append(first)
    for step in steps {
      guard step.range.upperBound <= last.count else { return nil }
      append(last.applying([step]))
    }
  }
}
