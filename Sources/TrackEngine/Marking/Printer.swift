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
}

/// Prints spans as CriticMarkup.
struct Printer {
  let texts: Texts
  let strategy: Strategy
  /// The output so far: the spans, with delimiters between them.
  private(set) var output: [Span] = []

  /// Prints spans.
  ///
  /// - Parameters:
  ///   - content: The spans, normalized.
  ///   - texts: The texts that hold their bytes.
  ///   - strategy: How to print what could be misread.
  init(_ content: [Span], in texts: Texts, _ strategy: Strategy) {
    self.texts = texts
    self.strategy = strategy
    var rest = content[...]
    while let first = rest.first {
      let group = rest.prefix {
        $0.kind == first.kind && $0.mark == first.mark && $0.metadata == first.metadata
      }
      rest = rest[group.endIndex...]
      switch first.kind {
      case .original, .delimiter: output += group
      case .highlighted: write(.highlight, Array(group))
      case .comment: write(.comment, Array(group))
      case .added: write(.addition, Array(group))
      case .deleted:
        let added = rest.prefix { $0.kind == .added && $0.metadata == first.metadata }
        rest = rest[added.endIndex...]
        write(Array(group), replacedBy: Array(added))
      }
    }
  }

  private mutating func write(_ deleted: [Span], replacedBy added: [Span]) {
    if !added.isEmpty, strategy == .plain || strategy == .whole,
      let substitution = substitution(of: deleted, by: added)
    {
      output += substitution
    } else {
      write(.deletion, deleted)
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
      output += spans.cut(at: cuts(of: texts.bytes(of: spans), kind), by: [closer, opener])
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
    let reading = Reading(of: bytes)
    guard
      reading.text(.original, of: bytes) == texts.bytes(of: deleted.lazy.filter { !$0.isHidden }),
      reading.text(.clean, of: bytes) == texts.bytes(of: added.lazy.filter { !$0.isHidden })
    else { return nil }
    return spans
  }

  /// The offsets at which the text of a mark is split into several marks, in ascending order.
  private func cuts(of text: [UInt8], _ kind: MarkKind) -> [Int] {
    let delimiters = text.delimiters.filter {
      $0.role == .closer && $0.mark == kind || $0.role == .opener
    }
    let closers = delimiters.filter { $0.role == .closer }
    switch strategy {
    case .whole: return []
    case .plain: return closers.map { $0.offset + 1 }
    case .outsideCode:
      // Read as it would be after the mark's opener.
      let code = (kind.opener + text).withUnsafeBufferPointer(\.closedCode)
      return delimiters.map(\.offset).filter { offset in
        let index = code.partitioningIndex { $0.range.upperBound > offset + 3 }
        return index == code.count || !code[index].range.contains(offset + 3)
      }.map { $0 + 1 }
    case .braces:
      let braces = text.indices.dropLast().filter {
        text[$0] == Ascii.open && "-+~=>".utf8.contains(text[$0 + 1])
      }
      return (closers.map(\.offset) + braces).sorted().map { $0 + 1 }
    }
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
  /// - Returns: The marks.
  func printed(
    around text: [UInt8],
    _ strategy: Strategy,
    like mark: Mark? = nil,
    in bytes: [UInt8] = []
  ) -> [UInt8] {
    var texts = Texts(settled: text, buffer: [])
    if let mark { texts.note([mark], in: bytes) }
    let span = Span(kind: .original, source: .settled(text.indices), metadata: mark?.metadata)
    var printer = Printer([], in: texts, strategy)
    printer.write(self, [span])
    return texts.bytes(of: printer.output)
  }
}
