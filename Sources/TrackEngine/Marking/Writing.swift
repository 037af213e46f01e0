/// How the tracker writes what could be read wrongly; later forms are tried when earlier ones fail.
enum Form: CaseIterable {
  /// Cuts the text of a mark where it would close the mark.
  case plain
  /// Cuts nothing: code in the text can hide what would close its mark early.
  case whole
  /// Cuts all delimiters but for those in the code of the text.
  case outsideCode
  /// Cuts all delimiters, and every brace that could begin one.
  case braces
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

/// Where the text of a mark is cut in a form, in rising order: a part of it in each of as many marks.
private func cuts(of text: [UInt8], _ kind: MarkKind, in form: Form) -> [Int] {
  let delimiters = text.delimiters.filter {
    $0.role == .closer && $0.mark == kind || $0.role == .opener
  }
  let closers = delimiters.filter { $0.role == .closer }
  switch form {
  case .whole: return []
  case .plain: return closers.map { $0.offset + 1 }
  case .outsideCode:
    // As it is after the mark's opener.
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
