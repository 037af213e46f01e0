import TrackEngine

/// Where the marks of a text are that may have a sidecar beside it: the rule of the server and of the command line.
enum SidecarReading {
  /// In the text. It has no sidecar, or one that holds the same, because whoever moved the marks was stopped.
  case inline
  /// In the sidecar. What became of the text since that was written is recorded, and a mark that was typed into the
  /// text is text.
  case beside(Projection)
  /// In a sidecar that cannot be used, and is left alone.
  case refused(SidecarRefusal)

  /// Finds the marks; linear, except for a bounded factor where the text is not that of the sidecar.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - sidecar: What the sidecar holds; nil if there is none.
  ///   - options: How the text is tracked.
  init(of text: Text, _ sidecar: [UInt8]?, _ options: Tracker.Options) {
    guard let sidecar else {
      self = .inline
      return
    }
    let bytes = text.bytes
    let marked = sidecar.inForm(of: bytes)
    if marked.hasConflict(notIn: bytes, as: options.language) {
      self = .refused(.conflict)
      return
    }
    var projection = Projection(record: Text(marked), options: options)
    if projection.text.hash == text.hash {
      self = .beside(projection)
      return
    }
    let clean = projection.text.bytes
    if bytes.hasConflict(as: options.language), clean.conflicts.isEmpty {
      self = .refused(.textConflict)
      return
    }
    if clean != marked, marked.holdsSame(as: bytes) {
      self = .inline
    } else if marked.isEmpty {
      self = .refused(.empty)
    } else if marked.isCut(from: bytes, as: options.language) {
      self = .refused(.cut)
    } else {
      let typed = bytes.marks(as: options.language).subtracting(clean.marks(as: options.language))
      if !typed.isEmpty, marked.marks(as: options.language).isHalf(in: typed) {
        self = .refused(.markedTwice)
      } else if projection.follow(to: bytes, tenths: typed.isEmpty ? 1 : 5) {
        self = .beside(projection)
      } else {
        self = .refused(.foreign)
      }
    }
  }

  /// Takes a text for what became of another one, with the marks in that; linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - known: What it was.
  ///   - isTracking: Whether what became of it is recorded; else it is original text.
  ///   - options: How the text is tracked.
  init(of text: Text, since known: [UInt8], isTracking: Bool, _ options: Tracker.Options) {
    var projection = Projection(record: Text(known), isTracking: isTracking, options: options)
    self = projection.follow(to: text.bytes) ? .beside(projection) : .refused(.foreign)
  }
}

extension SidecarReading: Equatable {
  static func == (reading: Self, other: Self) -> Bool {
    switch (reading, other) {
    case (.inline, .inline): true
    case (.beside(let one), .beside(let another)):
      one.record.hash == another.record.hash && one.text.hash == another.text.hash
    case (.refused(let one), .refused(let another)): one == another
    default: false
    }
  }
}

/// Why a sidecar cannot be used.
enum SidecarRefusal: Equatable {
  /// It has git's conflict markers in it.
  case conflict
  /// Its text has them.
  case textConflict
  /// It is empty, and its text is not.
  case empty
  /// It ends in the middle of its text.
  case cut
  /// Its marks are in the text, too, and more was changed in that.
  case markedTwice
  /// It is of another text.
  case foreign

  /// What is wrong with it, for a short message.
  var reason: String {
    switch self {
    case .conflict: "has git's conflict markers"
    case .textConflict: "is of a text that has git's conflict markers"
    case .empty: "is empty"
    case .cut: "may be half written"
    case .markedTwice: "has marks that are in the text, too"
    case .foreign: "is of another text"
    }
  }

  /// What is wrong with the sidecar of a text, and what can be done.
  ///
  /// - Parameter path: The text, as it is called in messages.
  /// - Returns: A sentence without a full stop.
  func sentence(of path: String) -> String {
    let sidecar = "\(path)\(Path.sidecarSuffix)"
    switch self {
    case .conflict: return "\(sidecar) has git's conflict markers; settle the conflict there first"
    case .textConflict: return "\(path) has git's conflict markers; settle the conflict there first"
    case .empty: return "\(sidecar) is empty, and \(path) is not; put it back, or remove it"
    case .cut:
      return "\(sidecar) may be half written, for it ends in the middle of \(path); put it back, or"
        + " if it is whole, end it with a line break"
    case .markedTwice:
      return
        "\(path) has the marks of \(sidecar) in it, and other changes; put the clean text back,"
        + " or if all is in \(path), move \(sidecar) away"
    case .foreign:
      return "\(sidecar) is of another text than \(path); move it away, or put back the file"
    }
  }
}

extension Text {
  /// Whether a text has marks, or what is malformed; linear.
  func hasMarks(_ options: Tracker.Options) -> Bool {
    Tracker(self, options: options).counts.entries > 0
  }
}

extension [UInt8] {
  /// A sidecar in the form of its text: with its line ends, and with a byte order mark if that has one.
  func inForm(of text: [UInt8]) -> [UInt8] {
    let isMarked = text.starts(with: [UInt8].byteOrderMark)
    return (isMarked ? self : withoutByteOrderMark).withLineEnds(of: text)
      .withByteOrderMark(of: text)
  }

  /// Whether two files hold the same text, whatever their line ends, byte order marks and last line breaks.
  func holdsSame(as other: [UInt8]) -> Bool { essence == other.essence }

  private var essence: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    let (newline, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var wasCarriage = false
    for byte in withoutByteOrderMark {
      if byte == carriage || byte == newline, !(wasCarriage && byte == newline) {
        bytes.append(newline)
      } else if byte != newline {
        bytes.append(byte)
      }
      wasCarriage = byte == carriage
    }
    if bytes.last == newline { bytes.removeLast() }
    return bytes
  }
}

// MARK: - What cannot be used

extension [UInt8] {
  /// Whether git has left a conflict in a sidecar: the lines that mark its three parts; in code only if the text has
  /// none, and not within a mark, where somebody has typed them.
  fileprivate func hasConflict(notIn text: [UInt8], as language: Language) -> Bool {
    let conflicts = conflicts
    guard !conflicts.isEmpty else { return false }
    let reading = Reading(of: self, as: language)
    let marks = reading.topLevel.map { reading.marks[$0].range }
    let zones = text.conflicts.isEmpty ? [] : reading.zones.map(\.range)
    return conflicts.contains { conflict in
      !marks.contains { $0.lowerBound < conflict.lowerBound && conflict.upperBound < $0.upperBound }
        && !zones.contains { $0.contains(conflict.lowerBound) }
    }
  }

  /// Whether git has left a conflict in a text; none in code, which may show one.
  fileprivate func hasConflict(as language: Language) -> Bool {
    let conflicts = conflicts
    guard !conflicts.isEmpty else { return false }
    let zones = Reading(of: self, as: language).zones.map(\.range)
    return conflicts.contains { conflict in
      !zones.contains { $0.contains(conflict.lowerBound) }
    }
  }

  /// Where the conflicts are, from the first of their three lines into the last one.
  fileprivate var conflicts: [Range<Int>] {
    let markers = ["<<<<<<< ", "=======", ">>>>>>> "].map { [UInt8]($0.utf8) }
    var conflicts: [Range<Int>] = []
    var (found, first) = (0, 0)
    var start = 0
    while start < count {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")) ?? count
      if self[start..<end].starts(with: markers[found]) {
        if found == 0 { first = start }
        found += 1
        if found == markers.count {
          conflicts.append(first..<start + markers[2].count)
          found = 0
        }
      }
      start = end + 1
    }
    return conflicts
  }

  /// Whether a sidecar ends where its text goes on: within a mark, or within a line.
  ///
  /// One that ends with a line can be whole, and something have been appended to its text.
  fileprivate func isCut(from text: [UInt8], as language: Language) -> Bool {
    guard self[...].lineBreakAtEnd.isEmpty else { return false }
    let open = Reading(of: self, as: language).malformed(in: self)
      .filter { $0.kind == .unclosed }.map(\.range.lowerBound).min()
    let line = lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let start = Swift.min(open ?? count, line)
    let known = clean(..<start, as: language)
    guard text.starts(with: known) else { return false }
    let rest = text[known.count...]
    if let open {
      let opener = self[open..<Swift.min(open + 3, count)]
      return !rest.dropFirst(clean(start..<open, as: language).count).starts(with: opener)
    }
    let last = clean(start..., as: language)
    let isWhole = rest.starts(with: last)
    let breaks = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    if isWhole, rest.dropFirst(last.count).first.map(breaks.contains) ?? true { return false }
    guard let end = rest.firstIndex(of: breaks[0]) else { return false }
    return isWhole || end + 1 < rest.endIndex || rest.starts(with: last.withoutHalves)
  }

  private func clean(_ range: some RangeExpression<Int>, as language: Language) -> [UInt8] {
    let part = Array(self[range])
    return Reading(of: part, as: language).text(.clean, of: part)
  }

  /// The text without what half of an opener or of a character may have become at its end.
  private var withoutHalves: [UInt8] {
    let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    if suffix(replacement.count).elementsEqual(replacement) {
      return Array(dropLast(replacement.count))
    }
    guard let brace = lastIndex(of: UInt8(ascii: "{")), brace + 2 >= count else { return self }
    return Array(self[..<brace])
  }

  /// The outermost marks, but for those that only say who made another one.
  fileprivate func marks(as language: Language) -> Set<ArraySlice<UInt8>> {
    let reading = Reading(of: self, as: language)
    let marks = reading.topLevel.map { reading.marks[$0] }
    return Set(marks.filter { !$0.isAttribution(in: self) }.map { self[$0.range] })
  }
}

extension Set<ArraySlice<UInt8>> {
  /// Whether half of the marks of a sidecar were typed into its text.
  fileprivate func isHalf(in typed: Self) -> Bool {
    !isEmpty && 2 * intersection(typed).count >= count
  }
}
