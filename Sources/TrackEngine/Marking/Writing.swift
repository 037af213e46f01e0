/// How the tracker writes what could be read wrongly; later forms are tried when earlier ones fail.
enum Form: CaseIterable {
  case plain
  /// Breaks nothing: code in the text can hide what would close its mark early.
  case whole
  /// Breaks delimiters but for those that the code in the text hides.
  case outsideCode
  /// Breaks the text of a mark over two where a brace would begin a delimiter.
  case braces
  /// Breaks a fence that is not closed after the second of its characters.
  case fenceAfterTwo
  /// Breaks a fence that is not closed after the first of its characters.
  case fenceAfterOne
  /// Breaks runs of backticks and tildes after the second.
  case afterTwo
  /// Breaks runs of backticks and tildes after the first.
  case afterOne
  /// Breaks runs of backticks and tildes everywhere.
  case everywhere
  /// Breaks before every backtick and after every line break.
  case lines

  /// Whether the form breaks all delimiters that code does not hide; see ``CodeParting``.
  var heedsCode: Bool {
    switch self {
    case .plain, .whole, .braces: false
    case .outsideCode, .fenceAfterTwo, .fenceAfterOne, .afterTwo, .afterOne, .everywhere, .lines:
      true
    }
  }

  /// After how many of its characters a fence that is not closed is broken.
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
      runs.append(deleted, added, in: form)
      deleted = []
      added = []
    }
    for piece in self {
      switch piece.kind {
      case .deleted: for run in piece.runs { deleted.add(run) }
      case .added:
        for var run in piece.runs {
          run.stays = run.origin != nil
          added.add(run)
        }
      case .original:
        writeChange()
        runs.append(contentsOf: piece.runs)
      case .highlighted:
        writeChange()
        runs.append(.highlight, piece.runs, in: form)
      case .comment:
        writeChange()
        runs.append(.comment, piece.runs, in: form)
      }
    }
    writeChange()
    return runs
  }
}

extension [Run] {
  /// Adds a change from `deleted` to `added`.
  fileprivate mutating func append(_ deleted: [Run], _ added: [Run], in form: Form) {
    let old = deleted.bytes
    let new = added.bytes
    if old == new, deleted.visible == old, added.visible == new {
      append(contentsOf: added)
    } else if new.isEmpty {
      append(.deletion, deleted, in: form)
    } else if old.isEmpty {
      append(.addition, added, in: form)
    } else if form == .plain || form == .whole,
      let substitution = substitution(of: deleted, by: added)
    {
      append(contentsOf: substitution)
    } else {
      append(.deletion, deleted, in: form)
      append(.addition, added, in: form)
    }
  }

  /// Adds runs as marks of one kind: as many as it takes for none to close early.
  fileprivate mutating func append(_ kind: MarkKind, _ runs: [Run], in form: Form) {
    let opener = Run(writing: kind.opener)
    let closer = Run(writing: kind.closer)
    append(opener)
    if runs.isEmpty || form == .whole || runs.contains(where: \.isHidden) {
      append(contentsOf: runs)
    } else {
      append(contentsOf: runs.cut(at: cuts(of: runs.bytes, kind, in: form), by: [closer, opener]))
    }
    append(closer)
  }
}

/// One mark for a substitution, if it reads as that.
private func substitution(of deleted: [Run], by added: [Run]) -> [Run]? {
  let runs =
    [Run(writing: MarkKind.substitution.opener)] + deleted + [Run(writing: Array("~>".utf8))]
    + added + [Run(writing: MarkKind.substitution.closer)]
  let bytes = runs.bytes
  let reading = Reading(of: bytes)
  guard let mark = reading.marks.first, mark.range == bytes.indices, mark.kind == .substitution,
    reading.text(.original, of: bytes) == deleted.visible,
    reading.text(.clean, of: bytes) == added.visible
  else { return nil }
  return runs
}

/// Where the text of a mark is cut in a form, in rising order.
private func cuts(of bytes: [UInt8], _ kind: MarkKind, in form: Form) -> [Int] {
  var broken = Set((1..<max(1, bytes.count)).filter { form.breaks(bytes, at: $0) })
  let delimiters = bytes.withUnsafeBufferPointer(\.delimiters)
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
