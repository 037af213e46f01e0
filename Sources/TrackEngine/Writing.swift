/// How the tracker writes what could be read wrongly; later forms are tried when earlier ones fail.
enum Form: CaseIterable {
  case plain
  /// Breaks nothing: code in the text can hide what would close its mark early.
  case whole
  /// Breaks delimiters but for those that the code in the text hides.
  case outsideCode
  /// Breaks the text of a mark over two where a brace would begin a delimiter.
  case braces
  /// Breaks a fence that is not closed behind the second of its characters.
  case fenceAfterTwo
  /// Breaks a fence that is not closed behind the first of its characters.
  case fenceAfterOne
  /// Breaks runs of backticks and tildes behind the second.
  case afterTwo
  /// Breaks runs of backticks and tildes behind the first.
  case afterOne
  /// Breaks runs of backticks and tildes everywhere.
  case everywhere
  /// Breaks before every backtick and behind every line break.
  case lines

  /// Whether the form breaks all delimiters that code does not hide; see ``CodeParting``.
  var heedsCode: Bool {
    switch self {
    case .plain, .whole, .braces: false
    case .outsideCode, .fenceAfterTwo, .fenceAfterOne, .afterTwo, .afterOne, .everywhere, .lines:
      true
    }
  }

  /// Behind how many of its characters a fence that is not closed is broken.
  var fencePart: Int? {
    switch self {
    case .fenceAfterTwo: 2
    case .fenceAfterOne: 1
    default: nil
    }
  }

  /// Whether the form breaks `bytes` at `offset`, which is in `1..<count`.
  func breaks(_ bytes: [UInt8], at offset: Int) -> Bool {
    let before = bytes[offset - 1]
    let next = bytes[offset]
    let isRun = before == next && (next == Ascii.backtick || next == Ascii.tilde)
    switch self {
    case .plain, .whole, .outsideCode, .fenceAfterTwo, .fenceAfterOne: return false
    case .braces: return before == Ascii.open && "-+~=>".utf8.contains(next)
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
  if form == .whole || runs.contains(where: \.isHidden) { return mark(kind, runs) }
  return runs.cut(at: cuts(of: bytes, kind, in: form)).flatMap { mark(kind, $0) }
}

/// Where the text of a mark is cut in a form, in rising order.
private func cuts(of bytes: [UInt8], _ kind: MarkKind, in form: Form) -> [Int] {
  var broken = Set((1..<max(1, bytes.count)).filter { form.breaks(bytes, at: $0) })
  let delimiters = bytes.withUnsafeBufferPointer { Spelling($0).delimiters }
    .filter { $0.role == .closer && $0.mark == kind || $0.role == .opener && form.heedsCode }
  let places = Set(delimiters.map { $0.offset + 1 }).sorted()
  guard form.heedsCode else { return broken.union(places).sorted() }
  while true {
    let parting = CodeParting(bytes, kind, at: places, breaking: broken)
    guard let part = form.fencePart, let fence = parting.unclosedFence,
      broken.insert(fence + part).inserted, broken.count < CodeParting.mostLooks
    else { return broken.union(parting.cuts).sorted() }
  }
}
