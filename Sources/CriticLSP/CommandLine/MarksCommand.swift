extension Subcommand {
  /// `critic-lsp marks`: moves the marks out of a text and back into it.
  static let marks = Subcommand(
    name: "marks",
    summary: "move the marks of a text into a file beside it, or back",
    operands: "beside|inline FILE...",
    description: [
      "With \"beside\", FILE becomes the clean text, as if every change were accepted, and its"
        + " marks and comments go into the record, FILE.critic. An editor then shows the clean text"
        + " and nothing else, and the server keeps the record. With \"inline\", the marks go back into FILE, and the record is removed.",
      "No change is accepted or rejected, and the original text stays what it is.",
    ],
    options: [],
    notes: [
      "The other commands read the marks of a FILE that has a record from there, and change both. What was changed"
        + " in FILE by other programs meanwhile is recorded; a mark that was typed into it is text.",
      "A FILE that is open in an editor is left alone: close it there first.",
    ],
    examples: [
      Example(
        "marks beside draft.md",
        "draft.md is the clean text now, and draft.md.critic has its marks"
      ),
      Example(
        "marks inline draft.md",
        "draft.md has its marks in it again, to be sent to somebody"
      ),
    ],
    run: move
  )

  private static func move(_ arguments: ParsedArguments) throws -> Int32 {
    guard let first = arguments.operands.first, let way = Way(rawValue: first.description) else {
      throw arguments.fail("Say where the marks are to be: \"beside\" or \"inline\".")
    }
    let files = arguments.operands.dropFirst()
    guard !files.isEmpty else { throw arguments.fail("Name a file.") }
    Platform.tidyWhenEnded()
    var hasFailed = false
    for file in files {
      do throws(Platform.Failure) {
        let place = try FilePlace(file)
        if let number = place.number, FileOwner.find(number, forReview: true) != nil {
          throw Platform.Failure(description: "\(file) is open in an editor; close it there first")
        }
        let sidecar = try Sidecar(of: place)
        let names = try way == .beside ? sidecar.moveBeside() : sidecar.moveInline()
        if names > 1 { Console.complain(FilePlace.told(names, of: file)) }
      } catch {
        hasFailed = true
        Console.complain(error.description)
      }
    }
    return hasFailed ? 2 : 0
  }

  private enum Way: String {
    case beside
    case inline
  }
}
