/// How to print text that could be misread; later strategies are tried when earlier ones fail.
enum Strategy: CaseIterable {
  /// Splits the text of a mark where it would close the mark.
  case plain
  /// Splits nothing: code in the text may hide what would close its mark early.
  case whole
  /// Splits all delimiters except those in code in the text.
  case outsideCode
  /// Splits all delimiters, and every brace that could begin one.
  case braces
  /// Splits the text into so many marks that nothing in them reads as a delimiter or as code.
  ///
  /// This is the last resort: ugly, but always correct if no other text is around. A delimiter is split between
  /// two marks. Each backtick has its own mark, and the kinds of these marks alternate: code from one backtick to
  /// the next would hide the closer of a mark that is not closed again, and so is not code.
  case broken

  /// Those that are tried before the last resort.
  static let allCases: [Strategy] = [.plain, .whole, .outsideCode, .braces]
  /// All of them, the last resort last.
  static let withLastResort = allCases + [.broken]
}

/// Prints spans as CriticMarkup.
struct Printer {
  let texts: Texts
  let strategy: Strategy
  /// The output so far: the spans, with delimiters between them.
  var output: [Span] = []
  /// How many marks hold nothing but a backtick.
  var backticks: Int

  /// Prints spans.
  ///
  /// - Parameters:
  ///   - content: The spans, normalized.
  ///   - texts: The texts that hold their bytes.
  ///   - strategy: How to print what could be misread.
  ///   - backticks: How many marks before these hold nothing but a backtick.
  init(_ content: [Span], in texts: Texts, _ strategy: Strategy, after backticks: Int = 0) {
    self.texts = texts
    self.strategy = strategy
    self.backticks = backticks
    var rest = content.joiningHighlights[...]
    while let first = rest.first {
      if let whole = highlight(at: rest) {
        output += whole.output
        rest = rest[whole.end...]
        continue
      }
      let group = rest.prefix {
        $0.kind == first.kind && $0.mark == first.mark && $0.metadata == first.metadata
      }
      rest = rest[group.endIndex...]
      switch first.kind {
      case .original, .delimiter: output += group
      case .highlighted: write(.highlight, Array(group))
      case .comment: write(.comment, Array(group))
      case .added: write([], replacedBy: Array(group))
      case .deleted:
        let added = rest.prefix { $0.kind == .added && $0.metadata == first.metadata }
        rest = rest[added.endIndex...]
        write(Array(group), replacedBy: Array(added))
      }
    }
  }

  /// A commented highlight with the changes in it as one mark, and where it ends in the spans that begin with it.
  ///
  /// - Returns: Nil if there is none, or it can be written in pieces only.
  private mutating func highlight(at spans: ArraySlice<Span>) -> (output: [Span], end: Int)? {
    guard strategy == .plain, let mark = spans.first?.highlight,
      let last = spans.lastIndex(where: { $0.highlight == mark })
    else { return nil }
    let whole = spans[...last]
    guard let text = whole.first(where: { $0.mark == mark && $0.kind == .highlighted }) else {
      return nil
    }
    let inside = whole.map { span in
      var span = span
      if span.mark == mark, span.kind == .highlighted { span.kind = .original }
      span.highlight = nil
      return span
    }
    let isOpen = inside.contains { span in
      span.kind == .original
        && !closings(in: Array(texts.bytes(of: span)), .highlight).isEmpty
    }
    if isOpen { return nil }
    let printed = Printer(inside, in: texts, strategy, after: backticks)
    backticks = printed.backticks
    let delimiters = [Delimiter.Role.opener, .closer].map {
      Span(writing: $0, of: .highlight, with: text.metadata)
    }
    return ([delimiters[0]] + printed.output + [delimiters[1]], whole.endIndex)
  }

  private mutating func write(_ deleted: [Span], replacedBy added: [Span]) {
    if strategy == .broken {
      writeBroken(.deletion, deleted)
      writeBroken(.addition, added)
    } else if !deleted.isEmpty, !added.isEmpty, strategy == .plain || strategy == .whole,
      let substitution = substitution(of: deleted, by: added)
    {
      output += substitution
    } else {
      if !deleted.isEmpty { write(.deletion, deleted) }
      if !added.isEmpty { write(.addition, added) }
    }
  }

  /// Prints spans as marks of one kind, as many as necessary for none to close early.
  fileprivate mutating func write(_ kind: MarkKind, _ spans: [Span]) {
    let opener = Span(writing: .opener, of: kind, with: spans.first?.metadata)
    let closer = Span(writing: .closer, of: kind, with: spans.first?.metadata)
    output.append(opener)
    if strategy == .whole || spans.contains(where: \.isHidden) {
      output += spans
    } else {
      output +=
        spans.divided(at: cuts(of: texts.bytes(of: spans), kind))
        .joined(separator: [closer, opener])
    }
    output.append(closer)
  }

  /// A substitution as one mark; nil if it would not read as one.
  private func substitution(of deleted: [Span], by added: [Span]) -> [Span]? {
    func delimiter(_ role: Delimiter.Role) -> [Span] {
      [Span(writing: role, of: .substitution, with: added.first?.metadata)]
    }
    let spans = delimiter(.opener) + deleted + delimiter(.arrow) + added + delimiter(.closer)
    let bytes = texts.bytes(of: spans)
    let reading = Reading(of: bytes, as: texts.language)
    guard
      reading.text(.original, of: bytes) == texts.bytes(of: deleted.lazy.filter { !$0.isHidden }),
      reading.text(.clean, of: bytes) == texts.bytes(of: added.lazy.filter { !$0.isHidden })
    else { return nil }
    return spans
  }

  /// The offsets at which the text of a mark is split into several marks, in ascending order.
  private func cuts(of text: [UInt8], _ kind: MarkKind) -> [Int] {
    let isHead = text.withUnsafeBufferPointer { $0.head(at: 0) != nil }
    return text.withSeams(of: kind, at: (isHead ? [1] : []) + closings(in: text, kind))
  }

  /// The offsets at which the text of a mark would close it, or be read as part of another one.
  private func closings(in text: [UInt8], _ kind: MarkKind) -> [Int] {
    let delimiters = text.delimiters.filter {
      $0.role == .closer && $0.mark == kind || $0.role == .opener
    }
    let closers = delimiters.filter { $0.role == .closer }
    switch strategy {
    case .whole: return []
    case .plain: return closers.map { $0.offset + 1 }
    case .outsideCode:
      // Read as it would be after the mark's opener.
      let code = (kind.opener + text).withUnsafeBufferPointer {
        $0.closedCode(texts.language)
      }
      return delimiters.map(\.offset).filter { offset in
        let index = code.partitioningIndex { $0.range.upperBound > offset + 3 }
        return index == code.count || !code[index].range.contains(offset + 3)
      }.map { $0 + 1 }
    // Highlights and comments are not broken.
    case .braces, .broken:
      let braces = text.indices.dropLast().filter {
        text[$0] == Ascii.open && "-+~=>".utf8.contains(text[$0 + 1])
      }
      // Those with attributes; the others are among the braces.
      let openers = delimiters.filter { $0.attributesLength > 0 }
      // Behind a command the brace of an opener must not be closed by one in the text.
      return ((closers + openers).map { $0.offset + 1 } + braces.map { $0 + 1 } + text.unopened)
        .sorted()
    }
  }
}

extension [Span] {
  /// The spans, in which what was added behind text of a commented highlight is in that, too, and what was deleted
  /// together with text before it is not.
  fileprivate var joiningHighlights: [Span] {
    guard contains(where: { $0.highlight != nil }) else { return self }
    var spans = self
    for index in indices.dropFirst() {
      let before = spans[index - 1]
      switch spans[index].kind {
      case .added where before.kind == .deleted || spans[index].highlight == nil,
        .deleted where before.kind == .deleted:
        spans[index].highlight = before.highlight
      default: break
      }
    }
    return spans
  }
}

extension [UInt8] {
  /// The offsets at which a text is split into marks, with those that part a brace behind a backslash from a
  /// closer, which would be text together with it: `{++a\{++}`, and the braces that would make a group of an opener:
  /// `{++} and {++}`.
  fileprivate func withSeams(of kind: MarkKind, at places: [Int]) -> [Int] {
    guard contains(where: { $0.isEscape || $0 == Ascii.close }) else { return places }
    var all: [Int] = []
    var start = 0
    for end in places + [count] {
      while let seam = self[start..<end].groupEnd(in: kind) {
        all.append(seam)
        start = seam
      }
      let piece = self[start..<end]
      let sign = piece.last == kind.closer[0] ? 1 : 0
      let rest = piece.dropLast(sign)
      if rest.last == Ascii.open, kind != .comment, rest.dropLast().escapeAtEnd > 0 {
        all.append(end - sign - 1)
        if sign > 0 { all.append(end - sign) }
      }
      if end < count { all.append(end) }
      start = end
    }
    return all
  }
}

extension [UInt8] {
  /// The offsets of the braces in a text that close none in it, without one at its beginning, if there is also one that
  /// is not closed.
  fileprivate var unopened: [Int] {
    var depth = 0
    let found = withUnsafeBufferPointer { bytes in
      indices.filter { at in
        guard bytes[at].isBrace, !bytes.isEscaped(at) else { return false }
        depth += bytes[at] == Ascii.open ? 1 : -1
        guard depth < 0 else { return false }
        depth = 0
        return at > 0
      }
    }
    return depth > 0 ? found : []
  }
}

extension ArraySlice<UInt8> {
  /// Where the braces end that would make a group of the opener of a mark around the text, and the mark text.
  func groupEnd(in kind: MarkKind) -> Int? {
    guard let brace = prefix(2).firstIndex(of: Ascii.close) else { return nil }
    let isGroup = (kind.opener + self + kind.closer).withUnsafeBufferPointer { mark in
      mark.openerDelimiter(at: 0).map { mark.mayBeginGroup($0) && mark.group($0).isText } ?? false
    }
    return isGroup ? self[brace...].firstIndex { $0 != Ascii.close } : nil
  }
}

extension MarkKind {
  /// A text as marks of one kind, as many as necessary for none to close early.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - strategy: How to print what could be misread.
  ///   - mark: The mark they replace, whose metadata is kept.
  ///   - bytes: The text that holds the mark.
  ///   - language: The language of the text.
  /// - Returns: The marks.
  func printed(
    around text: [UInt8],
    _ strategy: Strategy,
    like mark: Mark? = nil,
    in bytes: [UInt8] = [],
    as language: Language
  ) -> [UInt8] {
    var texts = Texts(settled: text, buffer: [], language)
    if let mark { texts.note([mark], in: bytes) }
    let span = Span(kind: .original, source: .settled(text.indices), metadata: mark?.metadata)
    var printer = Printer([], in: texts, strategy)
    printer.write(self, [span])
    return texts.bytes(of: printer.output)
  }
}
