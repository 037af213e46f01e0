import TrackEngine

/// What was proposed here, as it stood in the text: only that can be taken back, for only of that it is certain that
/// nobody else has written in it.
final class KeptProposals: Sendable {
  private struct Key: Hashable {
    let file: Path
    let id: String
  }

  private enum Kept {
    /// The change with its thread.
    case proposed(markup: [UInt8])
    case withdrawn
  }

  private let all = Guarded<[Key: Kept]>([:])

  /// Keeps the changes among some that are all their author's.
  ///
  /// - Parameters:
  ///   - written: What was written.
  ///   - file: The file, without links.
  ///   - author: Who proposed it; what nobody has signed is not kept.
  func keep(_ written: [WrittenChange], in file: Path, by author: AuthorName?) {
    guard let author else { return }
    all.with {
      for change in written where change.isNew && change.change.entry.isBy(author) {
        $0[Key(file: file, id: change.id)] = .proposed(markup: change.markup)
      }
    }
  }

  /// Notes that a change was taken back; it cannot be so again if the writer undoes that.
  func withdraw(_ id: String, in file: Path) {
    all.with { $0[Key(file: file, id: id)] = .withdrawn }
  }

  /// Whether a change was taken back.
  func isWithdrawn(_ id: String, in file: Path) -> Bool {
    if case .withdrawn? = all.with({ $0[Key(file: file, id: id)] }) { true } else { false }
  }

  /// The change of a text that its author may take back.
  ///
  /// - Parameters:
  ///   - id: The name of the change.
  ///   - text: The text.
  ///   - language: Its language.
  ///   - file: The file, without links.
  ///   - author: Who asks.
  /// - Returns: The change, and the reading of the text.
  /// - Throws: `Platform.Failure` if it is not as its author proposed it; then it is the writer's.
  func own(
    _ id: String,
    of text: [UInt8],
    as language: Language,
    in file: Path,
    by author: AuthorName
  ) throws(Platform.Failure) -> (change: Change, reading: Reading) {
    let reading = Reading(of: text, as: language)
    let kept = all.with { $0[Key(file: file, id: id)] }
    func refuse(_ reason: String) -> Platform.Failure {
      Platform.Failure(description: "change: \(reason)")
    }
    guard
      let listed = ListedChange.all(of: text, as: language).named.first(where: { $0.id == id })?
        .change
    else {
      switch kept {
      case nil: throw refuse("there is no change \(id); list the changes again")
      case .withdrawn: throw refuse("\(id) was taken back already")
      case .proposed:
        throw refuse(
          "\(id) is no longer there as it was proposed: it was accepted, rejected or changed since, and the writer decides"
        )
      }
    }
    let entry = listed.entry
    guard entry.isBy(author) else {
      let whose = entry.attribution.author.map { "it is \($0)'s" } ?? "nobody has signed it"
      throw refuse("\(id) cannot be taken back by \(author.name): \(whose), and the writer decides")
    }
    guard case .proposed(let markup) = kept else {
      let reason =
        kept == nil
        ? "it was not proposed, as it stands, since this server began"
        : "the writer has put it back"
      throw refuse(
        "\(id): \(reason); propose an edit of the text as it reads, and the writer decides"
      )
    }
    let now = Array(text[entry.range.lowerBound..<entry.end])
    guard now == markup else {
      let others = entry.authors.filter { $0 != entry.attribution.author }
      let who =
        others.isEmpty ? "it was changed" : "\(others.joined(separator: ", ")) commented on it"
      throw refuse("\(id): \(who) since, and the writer decides; it is now \(clipped(now))")
    }
    return (reading.changes[listed.number - 1], reading)
  }
}

extension ChangeEntry {
  /// Whether it is a change that somebody has signed.
  fileprivate func isBy(_ author: AuthorName) -> Bool {
    isChange && attribution.author == CommentHead.shown(author.name)
  }
}
