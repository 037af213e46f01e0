extension [DocxToken] {
  /// The text, in which the comments on the text of a note are on the note's number.
  ///
  /// Not all programs can have comments in notes; LibreOffice refuses the whole document.
  ///
  /// - Parameter threads: The numbers of the sentinels of comments.
  /// - Returns: The text, and the comments that were moved.
  func liftingComments(_ threads: Set<Int>) -> (tokens: [DocxToken], moved: Set<Int>) {
    var moved = Set<Int>()
    let tokens = flatMap { token -> [DocxToken] in
      var token = token
      switch token.content {
      case .note(let reference, let text):
        var sentinels: [DocxToken] = []
        token.content = .note(reference, text.without(threads, &sentinels))
        moved.formUnion(sentinels.compactMap(\.sentinel?.number))
        let starts = sentinels.filter { $0.sentinel?.isStart == true }
        return starts + [token] + sentinels.filter { $0.sentinel?.isStart == false }
      case .table(let table):
        token.content = .table(
          table.mappingCells { cell in
            let (tokens, more) = cell.liftingComments(threads)
            moved.formUnion(more)
            return tokens
          }
        )
      default: break
      }
      return [token]
    }
    return (tokens, moved)
  }

  /// The text without the sentinels of comments, which are appended to a list.
  private func without(_ threads: Set<Int>, _ sentinels: inout [DocxToken]) -> [DocxToken] {
    var kept: [DocxToken] = []
    for var token in self {
      if let number = token.sentinel?.number, threads.contains(number) {
        sentinels.append(token)
        continue
      }
      if case .table(let table) = token.content {
        token.content = .table(table.mappingCells { $0.without(threads, &sentinels) })
      }
      kept.append(token)
    }
    return kept
  }
}
