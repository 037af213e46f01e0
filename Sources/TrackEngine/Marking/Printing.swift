/// Finds for each dirty range of a vicinity a way of printing it with which the whole reads as meant.
struct Printing {
  /// A dirty range as it is printed.
  struct Printed: Equatable {
    let range: DirtyRange
    let spans: [Span]
    /// The text of the spans.
    let bytes: [UInt8]
    /// How many marks hold nothing but a backtick, with those before.
    let backticks: Int

    init(_ range: DirtyRange, in texts: Texts, _ strategy: Strategy, after last: Printed? = nil) {
      self.range = range
      let printer = Printer(range.content, in: texts, strategy, after: last?.backticks ?? 0)
      spans = printer.output
      backticks = printer.backticks
      bytes = texts.bytes(of: spans)
    }
  }

  /// Ranges to print beside what is known to read as meant.
  struct Attempt: Equatable {
    let ranges: [DirtyRange]
    let strategies: [Strategy]
    let known: [Printed]
  }

  let unmarked: Unmarked
  let texts: Texts
  let ranges: DirtyRanges
  /// The ranges to print, without those still being typed.
  let dirty: [DirtyRange]
  /// The ranges printed so far; sorted, disjoint.
  var printed: [Printed] = []
  /// What was tried and printed nothing, and would not do so again.
  var inVain: [Attempt] = []
  /// How often the text was read back.
  var readings = 0
  /// The code as displayed in the buffer.
  private(set) lazy var seenCode =
    knownCode ?? SeenCode(of: ParsedText(texts.buffer, as: texts.language))
  /// The same, if already known because some was typed.
  private let knownCode: SeenCode?

  var settled: ParsedText { unmarked.settled }

  /// Prepares to print.
  ///
  /// - Parameters:
  ///   - unmarked: The changes.
  ///   - isForced: Whether to mark even a mark that is still being typed.
  init(_ unmarked: Unmarked, isForced: Bool) {
    self.unmarked = unmarked
    let (pending, typing) = unmarked.changes()
    knownCode = typing?.seenCode
    var texts = Texts(
      settled: unmarked.settled.bytes,
      buffer: unmarked.buffer.bytes,
      unmarked.settled.reading.language
    )
    texts.signature = unmarked.signature
    for text in [unmarked.settled, typing?.bufferReading].compactMap(\.self) {
      texts.note(text.reading.marks, in: text.bytes)
    }
    self.texts = texts
    let ranges = DirtyRanges(
      pending,
      in: unmarked.settled,
      unmarked.buffer,
      texts,
      within: unmarked.stretch
    )
    self.ranges = ranges
    // Nothing is printed where one mark's metadata could be written for another's.
    dirty =
      texts.areAmbiguous
      ? []
      : ranges.all().filter { range in
        isForced
          || !ranges.pending[range.changes].contains { change in
            unmarked.isTypingFrontMatter(change)
              || typing?.isHeld(change) ?? false
          }
      }
  }
}
