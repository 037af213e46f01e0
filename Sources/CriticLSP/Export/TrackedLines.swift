import TrackEngine

/// The lines of a tracked text, as pandoc is given them: with sentinels, behind what makes the block of each line, where
/// what is tracked changes.
struct TrackedLines {
  /// What a sentinel stands for.
  enum Signal: Hashable {
    case state(TrackedText.State)
    case lineEnd(LineEnd)
    case comments(Int, isStart: Bool)
  }

  /// A line end, or several, that only one of the texts has.
  struct LineEnd: Hashable {
    var stretch: TrackedStretch
    /// Whether the other text has a line end here, where this one has a blank line.
    var isSoftElsewhere: Bool
  }

  private struct Line {
    /// What makes its block.
    var prefix: [UInt8] = []
    /// The offsets of its text.
    var text: [Int] = []
    /// How much of it sentinels can stand in: what closes a row or a heading is behind that.
    var length = 0
    var end = 0
    var chunk = 0
    /// It is in fenced code, and left as it is.
    var isCode = false
    var isOpenForSignals: Bool { length > 0 && !isCode }

    /// The index in the text of the first byte at an offset or behind it.
    func index(of offset: Int) -> Int {
      var range = text.startIndex..<text.endIndex
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        range =
          text[middle] < offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound
    }
  }

  private let text: TrackedText
  private var lines: [Line] = []
  /// The signals in a line, by the index in its text before which they stand.
  private var signals: [[(index: Int, signal: Signal)]] = []
  /// The chunk of each change: the paragraphs that are written anew together.
  private(set) var chunks: [Int]
  /// The chunks with fences that changes are in or at: a fence is a fence by itself only.
  private(set) var fencedChunks: Set<Int> = []

  /// Cuts a text into lines; linear.
  init(_ text: TrackedText) {
    self.text = text
    chunks = Array(repeating: 0, count: text.changes.count)
    cut()
    number()
    signals = Array(repeating: [], count: lines.count)
    endLines()
    placeAnchors()
  }

  private mutating func cut() {
    var start = 0
    while start < text.bytes.count {
      let end = text.bytes[start...].firstIndex(of: 0x0A) ?? text.bytes.count
      lines.append(line(start..<end))
      start = end + 1
    }
  }

  private func line(_ range: Range<Int>) -> Line {
    var line = Line()
    line.end = range.upperBound
    line.isCode = !range.isEmpty && text.isFenced[range.lowerBound]
    func isBegun(in variant: Variant) -> Bool {
      range.lowerBound == 0 || text.has(range.lowerBound - 1, variant)
    }
    // What stands before the text need not be the same in both texts; what only one has counts for that.
    func prefixLength(in variant: Variant) -> Int {
      guard isBegun(in: variant), !line.isCode else { return 0 }
      let bytes = range.filter { text.has($0, variant) }.map { text.bytes[$0] }
      return blockPrefixLength(of: bytes[...])
    }
    var left = [Variant.clean, .original].map { (variant: $0, length: prefixLength(in: $0)) }
    var prefix: [Int] = []
    for offset in range {
      // A byte that stands in a line of one text is text, even if it indents a line of the other.
      var isPrefix = true
      for index in left.indices where text.has(offset, left[index].variant) {
        isPrefix = isPrefix && left[index].length > 0
        left[index].length -= 1
      }
      if isPrefix { prefix.append(offset) } else { line.text.append(offset) }
    }
    let clean = prefix.filter { text.has($0, .clean) }
    line.prefix = (clean.isEmpty ? prefix : clean).map { text.bytes[$0] }
    line.length = openLength(of: line)
    return line
  }

  /// How much of a line's text sentinels can stand in.
  private func openLength(of line: Line) -> Int {
    var rest = line.text[...]
    func byte() -> UInt8? { rest.last.map { text.bytes[$0] } }
    func dropSpaces() {
      // A space that goes or comes with the line end after it is text.
      while let last = rest.last, text.bytes[last] == 0x20 || text.bytes[last] == 0x09,
        text.owners[last] == 0 || text.owners[last] == text.owners[line.end]
      { rest.removeLast() }
    }
    dropSpaces()
    if byte() == UInt8(ascii: "\\") {
      rest.removeLast()
    } else if line.prefix.contains(UInt8(ascii: "|")), byte() == UInt8(ascii: "|") {
      rest.removeLast()
      dropSpaces()
    } else if line.prefix.contains(UInt8(ascii: "#")) {
      if byte() == UInt8(ascii: "}"),
        let open = rest.lastIndex(where: { text.bytes[$0] == UInt8(ascii: "{") })
      {
        rest = rest[..<open]
        dropSpaces()
      }
      while byte() == UInt8(ascii: "#") { rest.removeLast() }
      dropSpaces()
    }
    return rest.count
  }

  /// Says in which chunk each line and each change is: chunks end at blank lines that nothing tracked is at.
  private mutating func number() {
    var chunk = 0
    var (hasFence, hasChange) = (false, false)
    for index in lines.indices {
      let line = lines[index]
      let isPlainEnd = text.owners[line.end] == 0
      let isBlank =
        line.text.isEmpty && line.prefix.allSatisfy { $0 == 0x20 || $0 == 0x09 } && !line.isCode
      if isBlank, isPlainEnd, index > 0, text.owners[lines[index - 1].end] == 0 {
        (hasFence, hasChange) = (false, false)
        chunk += 1
      }
      lines[index].chunk = chunk
      hasFence = hasFence || line.isCode || isFence(line)
      hasChange = hasChange || !isPlainEnd || line.text.contains { text.owners[$0] != 0 }
      if hasFence, hasChange { fencedChunks.insert(chunk) }
    }
    var at = 0
    for (line, start) in zip(lines, [0] + lines.map { $0.end + 1 }) {
      for offset in start...line.end where text.owners[offset] != 0 {
        chunks[Int(abs(text.owners[offset])) - 1] = line.chunk
      }
      while at < text.anchors.count, text.anchors[at].offset <= line.end {
        if text.changes[text.anchors[at].change].marks.isEmpty {
          chunks[text.anchors[at].change] = line.chunk
        }
        at += 1
      }
    }
  }

  /// Whether a line begins or ends fenced code or a division.
  private func isFence(_ line: Line) -> Bool {
    let start = line.text.prefix(3).map { text.bytes[$0] }
    return start.elementsEqual("```".utf8) || start.elementsEqual("~~~".utf8)
      || start.elementsEqual(":::".utf8)
  }

  /// Tells of the line ends that only one of the texts has.
  private mutating func endLines() {
    var last: Int?
    for index in lines.indices where lines[index].isOpenForSignals || lines[index].isCode {
      if let last { endLine(last, before: index) }
      last = index
    }
    if let last { endLine(last, before: lines.count) }
  }

  private mutating func endLine(_ line: Int, before next: Int) {
    let ends = (line..<next).map { lines[$0].end }
    guard let tracked = ends.first(where: { text.owners[$0] != 0 }),
      let stretch = text.stretch(at: tracked), !lines[line].isCode
    else { return }
    let all = min(2, ends.count)
    let clean = min(2, ends.count { text.has($0, .clean) })
    let original = min(2, ends.count { text.has($0, .original) })
    let (most, least) = (max(clean, original), min(clean, original))
    guard most == all, least < all else { return }
    let kind: TrackedStretch.Kind = clean > original ? .insertion : .deletion
    let signal = LineEnd(
      stretch: TrackedStretch(kind: kind, changes: stretch.changes),
      isSoftElsewhere: least == 1
    )
    signals[line].append((lines[line].length, .lineEnd(signal)))
  }

  /// Puts where comments begin and end to the text that they are about.
  private mutating func placeAnchors() {
    let open = lines.indices.filter { lines[$0].isOpenForSignals }
    guard !open.isEmpty else { return }
    var next = 0
    var placed: [(line: Int, index: Int, signal: Signal)] = []
    for anchor in text.anchors {
      // The first open line that does not end before the anchor.
      while next < open.count, lines[open[next]].end < anchor.offset { next += 1 }
      let signal = Signal.comments(anchor.change, isStart: anchor.isStart)
      var place: (line: Int, index: Int)?
      if next < open.count {
        let line = lines[open[next]]
        let index = line.index(of: anchor.offset)
        let isInText =
          index > 0 && index <= line.length && (index < line.length || anchor.leansBack)
        if isInText || index == 0 && !anchor.leansBack {
          place = (open[next], index)
        } else if anchor.leansBack, index > line.length {
          place = (open[next], line.length)
        } else if !anchor.leansBack, index > 0 {
          place = next + 1 < open.count ? (open[next + 1], 0) : (open[next], line.length)
        }
      }
      let last = next > 0 ? (open[next - 1], lines[open[next - 1]].length) : (open[0], 0)
      let (line, index) = place ?? last
      placed.append((line, index, signal))
    }
    // What begins behind where it ends is a place between.
    var starts: [Int: Int] = [:]
    for index in placed.indices {
      guard case .comments(let change, let isStart) = placed[index].signal else { continue }
      if isStart {
        starts[change] = index
      } else if let start = starts[change],
        (placed[index].line, placed[index].index) < (placed[start].line, placed[start].index)
      {
        (placed[start].line, placed[start].index) = (placed[index].line, placed[index].index)
      }
    }
    for place in placed { signals[place.line].append((place.index, place.signal)) }
  }

  /// What pandoc is given.
  ///
  /// - Parameter plain: The chunks that are written as the clean text has them.
  /// - Returns: The text, and the signals that its sentinels are numbered by.
  func source(plain: Set<Int>) -> (text: [UInt8], signals: [Signal]) {
    var written: [UInt8] = []
    var numbers: [Signal: Int] = [:]
    var all: [Signal] = []
    func write(_ signal: Signal) {
      let number = numbers[signal] ?? all.count
      if number == all.count {
        numbers[signal] = number
        all.append(signal)
      }
      written += Sentinel.start(number).text.utf8
    }
    var start = 0
    for (index, line) in lines.enumerated() {
      defer { start = line.end + 1 }
      if plain.contains(line.chunk) {
        written += (start...line.end).filter { text.has($0, .clean) }.map { text.bytes[$0] }
        continue
      }
      written += line.prefix
      var state = TrackedText.State.plain
      var here = signals[index].enumerated()
        .sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(\.element)[
          ...
        ]
      for (place, offset) in line.text.enumerated() {
        if place <= line.length, !line.isCode {
          let next = place < line.length ? text.state(at: offset) : .plain
          if place == line.length, next != state {
            write(.state(next))
            state = next
          }
          while let first = here.first, first.index == place {
            write(first.signal)
            here.removeFirst()
          }
          // A space that begins a line is text here.
          let isEdge = place == 0 && line.length > 0 && [0x20, 0x09].contains(text.bytes[offset])
          if next != state || isEdge { write(.state(next)) }
          state = next
        }
        written.append(text.bytes[offset])
      }
      if state != .plain { write(.state(.plain)) }
      for signal in here { write(signal.signal) }
      written.append(0x0A)
    }
    return (written, all)
  }
}
