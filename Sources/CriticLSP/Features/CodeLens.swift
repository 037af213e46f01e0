import JSONRPC
import TrackEngine

/// The commands of the lenses above a change.
private let lensCommands: [CriticCommand] = [.accept, .reject, .comment]

/// The data of a lens, from which it is resolved.
struct CodeLensData: JSONWritable {
  /// By name.
  let command: String
  let uri: String
  let version: Int
  /// The start of the change.
  let position: Position

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("command", command)
      $0.member("uri", uri)
      $0.member("version", version)
      $0.member("position", position)
    }
  }
}

/// The params of `codeLens/resolve`: a lens of ours.
struct CodeLensResolveParams: DocumentParams {
  /// As the client sent it.
  let lens: JSON
  let textDocument: TextDocumentIdentifier
  let version: Int?
  let command: String
  let position: Position

  init(_ json: JSON) throws(ResponseError) {
    lens = json
    let data: JSON = try json.read("data")
    do {
      textDocument = try TextDocumentIdentifier(data)
      version = data["version"]?.integer
      command = try data.read("command")
      position = try data.read("position")
    } catch {
      throw error.inside("data")
    }
  }
}

/// Answers `textDocument/codeLens`: accept, reject and comment for every change; titles are resolved later.
func codeLens(_ snapshot: Snapshot, _ params: TextDocumentParams) -> CodeLenses {
  CodeLenses(uri: snapshot.uri, version: snapshot.version, ranges: snapshot.lensRanges)
}

/// A list of `CodeLens`, each made when it is written.
struct CodeLenses: JSONWritable {
  fileprivate let uri: String
  fileprivate let version: Int
  /// The first line of each change.
  let ranges: [Range<Position>]

  func write(to writer: inout JSONWriter) {
    let names = lensCommands.map(\.name)
    writer.array {
      for range in ranges {
        for name in names { lens(name, range).write(to: &$0) }
      }
    }
  }

  private func lens(_ command: String, _ range: Range<Position>) -> CodeLens<CodeLensData> {
    let start = range.lowerBound
    let data = CodeLensData(command: command, uri: uri, version: version, position: start)
    return CodeLens(range: range, data: data)
  }
}

/// Answers `codeLens/resolve`: a lens with its command.
func resolveCodeLens(
  _ snapshot: Snapshot,
  _ params: CodeLensResolveParams
) throws(ResponseError) -> ResolvedCodeLens {
  guard params.version == snapshot.version else {
    throw .contentModified("The text has changed; ask for the code lenses again.")
  }
  guard let command = lensCommands.first(where: { $0.name == params.command }) else {
    throw .invalidParams("data is not from one of our code lenses.")
  }
  let start = snapshot.offset(of: params.position)
  // Inside the change: its start is also in the mark around it, if any.
  let inside = snapshot.conversions.positions(of: start + 1..<start + 1)
  return ResolvedCodeLens(
    lens: params.lens,
    command: Command(
      title: snapshot.title(of: command, ofChangeAt: start),
      command: command.name,
      arguments: [CommandOffer(uri: snapshot.uri, range: inside)]
    )
  )
}

extension Snapshot {
  fileprivate var lensRanges: [Range<Position>] {
    guard settings.codeLens else { return [] }
    let excerpt = whole
    let changes = shown(excerpt.reading.changes.filter(\.kind.isChange)) {
      $0.markRange.lowerBound + excerpt.start
    }
    return changes.map { change in
      // A lens belongs to one line.
      let end = change.markRange.first(where: excerpt.bytes.isLineBreak)
      let line = change.markRange.lowerBound..<(end ?? change.markRange.upperBound)
      return conversions.positions(of: excerpt.inBuffer(line))
    }
  }

  /// As in `Accept “lazy” → “sleepy”`; only the first lens of a change names it.
  fileprivate func title(of command: CriticCommand, ofChangeAt start: Int) -> String {
    let excerpt = tracker.excerpt(around: start..<start)
    let change = excerpt.reading.changes
      .first { excerpt.inBuffer($0.markRange).lowerBound == start }
      .map { ChangeEntry($0, in: excerpt.reading, excerpt.bytes, nil) }
    switch command {
    case .comment:
      let count = change?.comments.count ?? 0
      return count == 0 ? "Comment" : "Answer (\(counted(count, "comment")))"
    case .accept: return "Accept" + (change.map { " \($0.words.title)" } ?? "")
    default: return "Reject"
    }
  }
}
