/// A brace with dashes at it that look like the hyphens of a deletion's delimiter.
private struct DashedBrace {
  /// The brace and its dashes.
  var range: Range<Int>
  /// Whether it is only taken for a delimiter if the other half of the mark is there: it has one dash, as smart typing
  /// makes of two hyphens, or a hyphen too.
  var needsOther: Bool
}

/// A brace behind which a deletion may begin.
private enum DeletionOpener {
  case hyphens(end: Int)
  case dashes(DashedBrace)

  /// Where its text begins.
  var end: Int {
    switch self {
    case .hyphens(let end): end
    case .dashes(let brace): brace.range.upperBound
    }
  }
}

extension Reading {
  /// Delimiters of deletions with one of the dashes U+2010 to U+2015 for a hyphen: with two of them, as in `{‐‐`, or with
  /// one, if the other half of the mark follows, as in `{—old—}`.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - loose: The delimiters outside code that are not part of a mark.
  ///   - bytes: The text that was read.
  /// - Returns: What is malformed, in document order.
  func lookalikes(beside loose: [Delimiter], in bytes: Bytes) -> [Malformed] {
    var found: [Malformed] = []
    var opener: DeletionOpener?
    var hyphens = loose.filter { $0.mark == .deletion }[...]
    var zone = zones[...]
    var at = bytes.special(from: 0)
    while at < bytes.count {
      let brace = at
      at = bytes.special(from: at + 1)
      guard bytes[brace].isBrace else { continue }
      while let first = zone.first, first.range.upperBound <= brace { zone = zone.dropFirst() }
      if zone.first?.range.contains(brace) == true { continue }
      while let first = hyphens.first, first.end <= brace { hyphens = hyphens.dropFirst() }
      let isHyphens = hyphens.first?.range.contains(brace) == true
      let dashes = bytes.dashedBrace(at: brace)
      if bytes[brace] == Ascii.open {
        if let dashes, !dashes.needsOther { found.append(Malformed(dashes, isOpener: true)) }
        opener = dashes.map { .dashes($0) } ?? (isHyphens ? .hyphens(end: brace + 3) : nil)
        continue
      }
      let start = dashes?.range.lowerBound ?? brace - 2
      let isPair = opener.map { $0.end < start && !bytes.hasBlankLine($0.end..<start) } ?? false
      if isPair, dashes != nil || isHyphens, case .dashes(let half) = opener, half.needsOther {
        found.append(Malformed(half, isOpener: true))
      }
      if let dashes, isPair || !dashes.needsOther {
        found.append(Malformed(dashes, isOpener: false))
      }
      opener = nil
    }
    return found
  }
}

extension Malformed {
  fileprivate init(_ brace: DashedBrace, isOpener: Bool) {
    let delimiter = isOpener ? "{--" : "--}"
    self.init(
      kind: .lookalike,
      range: brace.range,
      sentence: brace.range.count < 7
        ? "This dash only looks like hyphens. Write “\(delimiter)” for a deletion."
        : "These dashes only look like hyphens. Write “\(delimiter)” for a deletion."
    )
  }
}

extension Bytes {
  /// Whether one of the dashes U+2010 to U+2015 stands at an offset.
  func isDash(_ offset: Int) -> Bool {
    offset >= 0 && offset + 3 <= count && self[offset] == 0xE2 && self[offset + 1] == 0x80
      && (0x90...0x95).contains(self[offset + 2])
  }

  /// The braces that may begin a deletion's opener with dashes for hyphens.
  ///
  /// Linear.
  var dashedOpeners: [Int] {
    var found: [Int] = []
    var at = special(from: 0)
    while at < count {
      if self[at] == Ascii.open, dashedBrace(at: at) != nil { found.append(at) }
      at = special(from: at + 1)
    }
    return found
  }

  /// The brace at an offset with the dashes at it; nil if there are none, or if they are text.
  fileprivate func dashedBrace(at brace: Int) -> DashedBrace? {
    let isOpener = self[brace] == Ascii.open
    if isOpener, isText(openerAt: brace) { return nil }
    /// The length of the dash or hyphen next to the brace, `distance` bytes from it; 0 if there is none.
    func length(_ distance: Int) -> Int {
      if isDash(isOpener ? brace + 1 + distance : brace - distance - 3) { return 3 }
      let place = isOpener ? brace + 1 + distance : brace - distance - 1
      return place >= 0 && place < count && self[place] == Ascii.minus ? 1 : 0
    }
    let first = length(0)
    let second = first > 0 ? length(first) : 0
    guard Swift.max(first, second) == 3 else { return nil }
    let all = first + second
    let needsOther = all < 6
    // `\emph{—` begins the argument of a command.
    if isOpener, needsOther, isCommand(before: brace) { return nil }
    return DashedBrace(
      range: isOpener ? brace..<brace + 1 + all : brace - all..<brace + 1,
      needsOther: needsOther
    )
  }

  /// Whether a blank line begins in a range.
  fileprivate func hasBlankLine(_ range: Range<Int>) -> Bool {
    Bytes(rebasing: self[..<range.upperBound]).blankLine(after: range.lowerBound) != nil
  }
}
