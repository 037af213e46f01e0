/// How the tracker writes what could be read wrongly; later forms are tried when earlier ones fail.
enum Form: CaseIterable {
  case plain
  /// Breaks nothing: code in the text can hide what would close its mark early.
  case whole
  /// Breaks, like ``braces``, but leaves the code in the text whole.
  case outsideCode
  /// Breaks the text of a mark over two where a brace would begin a delimiter.
  case braces
  /// Breaks runs of backticks and tildes behind the second.
  case afterTwo
  /// Breaks runs of backticks and tildes behind the first.
  case afterOne
  /// Breaks runs of backticks and tildes everywhere.
  case everywhere
  /// Breaks before every backtick and behind every line break.
  case lines

  /// Whether the form breaks `bytes` at `offset`, which is in `1..<count`.
  func breaks(_ bytes: [UInt8], at offset: Int) -> Bool {
    let before = bytes[offset - 1]
    let next = bytes[offset]
    let isRun = before == next && (next == Ascii.backtick || next == Ascii.tilde)
    switch self {
    case .plain, .whole: return false
    case .braces, .outsideCode: return before == Ascii.open && "-+~=>".utf8.contains(next)
    case .afterTwo: return isRun && offset >= 2 && bytes[offset - 2] == next
    case .afterOne: return isRun && offset + 1 < bytes.count && bytes[offset + 1] == next
    case .everywhere: return isRun
    case .lines: return next == Ascii.backtick || before == Ascii.newline
    }
  }
}

extension [Piece] {
  /// The pieces as CriticMarkup: between two stretches of other text, what was deleted comes first,
  /// then what was added.
  func written(in form: Form) -> [Run] {
    var runs: [Run] = []
    var deleted: [Run] = []
    var added: [Run] = []
    func writeChange() {
      runs.append(contentsOf: change(deleted, added, in: form))
      deleted = []
      added = []
    }
    for piece in self {
      switch piece.kind {
      case .deleted: for run in piece.runs { deleted.add(run) }
      case .added: for run in piece.runs { added.add(run) }
      case .original:
        writeChange()
        runs.append(contentsOf: piece.runs)
      case .highlighted:
        writeChange()
        runs.append(contentsOf: marks(.highlight, piece.runs, in: form))
      case .comment:
        writeChange()
        runs.append(contentsOf: marks(.comment, piece.runs, in: form))
      }
    }
    writeChange()
    return runs
  }
}

private func mark(_ kind: MarkKind, _ runs: [Run]) -> [Run] {
  [Run(writing: kind.opener)] + runs + [Run(writing: kind.closer)]
}

private func change(_ deleted: [Run], _ added: [Run], in form: Form) -> [Run] {
  let old = deleted.bytes
  let new = added.bytes
  if old == new, deleted.visible == old, added.visible == new { return added }
  if new.isEmpty { return marks(.deletion, deleted, in: form) }
  if old.isEmpty { return marks(.addition, added, in: form) }
  let opener = Run(writing: MarkKind.substitution.opener)
  let closer = Run(writing: MarkKind.substitution.closer)
  let substitution =
    [opener] + deleted + [Run(writing: Array("~>".utf8))] + added + [closer]
  if form == .plain || form == .whole, reads(substitution.bytes, as: deleted.visible, added.visible)
  {
    return substitution
  }
  return marks(.deletion, deleted, in: form) + marks(.addition, added, in: form)
}

/// Whether `bytes` are one substitution of one text by another.
private func reads(_ bytes: [UInt8], as old: [UInt8], _ new: [UInt8]) -> Bool {
  let reading = Reading(of: bytes)
  guard let mark = reading.marks.first, mark.range == bytes.indices, mark.kind == .substitution
  else { return false }
  return reading.text(.original, of: bytes) == old && reading.text(.clean, of: bytes) == new
}

/// The runs as marks of one kind: as many as it takes for none to close early.
private func marks(_ kind: MarkKind, _ runs: [Run], in form: Form) -> [Run] {
  let bytes = runs.bytes
  if bytes.isEmpty { return mark(kind, []) }
  var cuts: [Int] = []
  if form != .whole, !runs.contains(where: \.isHidden) {
    let early = cutsBeforeEarlyClosers(of: bytes, kind.closer)
    cuts = (1..<max(1, bytes.count)).filter { early.contains($0) || form.breaks(bytes, at: $0) }
    if form == .outsideCode {
      let zones = Reading(of: bytes.map { "{}".utf8.contains($0) ? Ascii.star : $0 }).zones
      cuts.removeAll { cut in
        zones.contains { $0.range.lowerBound < cut && cut < $0.range.upperBound }
      }
    }
  }
  return runs.cut(at: cuts).flatMap { mark(kind, $0) }
}

/// Where `bytes` must be cut so that no part, followed by `closer`, closes before its end.
private func cutsBeforeEarlyClosers(of bytes: [UInt8], _ closer: [UInt8]) -> Set<Int> {
  var cuts: Set<Int> = []
  for offset in 0..<bytes.count where bytes[offset] == closer[0] {
    let rest = bytes[offset...].prefix(3)
    // A part that ends in the closer's first character can close one character early.
    if rest.elementsEqual(closer) { cuts.insert(offset + 1) }
  }
  return cuts
}
