import JSONRPC
import TrackEngine

/// The tools that tell what there is.
extension MCPTool {
  static let listDocuments = MCPTool(
    name: "list_documents",
    title: "List the documents",
    description:
      "Lists the Markdown documents that this server was given, with how many changes and open threads of comments each"
      + " holds.",
    isReadOnly: true,
    parameters: [],
    output: [
      Value(
        name: "documents",
        kind: .list([
          Value(name: "path", kind: .text, description: "as the other tools take it"),
          Value(name: "changes", kind: .type("integer"), description: "how many changes it holds"),
          Value(name: "open", kind: .type("integer"), description: "how many open threads"),
        ]),
        description: "the documents, by name"
      )
    ],
    run: { call in
      let paths = call.files.documents
      guard !paths.isEmpty else {
        throw Platform.Failure(
          description:
            "There is no Markdown file (\(Markdown.dottedExtensions)) in what this server was given: \(call.files.told)"
        )
      }
      var writer = JSONWriter()
      writer.object {
        $0.member(
          "documents",
          array: {
            for path in paths {
              guard let bytes = try? call.files.contents(of: path) else { continue }
              let counts = ChangeCounts(of: ListedChange.all(of: bytes, as: Language(of: path)))
              $0.object {
                $0.member("path", path)
                $0.member("changes", counts.changes)
                $0.member("open", counts.open)
              }
            }
          }
        )
      }
      return Output(json: writer.bytes)
    }
  )

  static let read = MCPTool(
    name: "read",
    title: "Read a document",
    description:
      "Reads a Markdown document, or some lines of it: the clean text, in which every change is accepted, unless another"
      + " variant is requested. What somebody has not saved yet is in it.",
    isReadOnly: true,
    parameters: [
      .path,
      Value(
        name: "variant",
        kind: .choice(Variant.allCases.map(\.rawValue)),
        description:
          "clean: every change accepted; original: every change rejected; markup: as it is in the file",
        isOptional: true
      ),
      .number("from", "the first line of the variant to read, from 1"),
      .number("to", "the last line to read"),
      Value(
        name: "heading",
        kind: .text,
        description: "instead of lines: read the section with this heading",
        isOptional: true
      ),
    ],
    output: [
      .path, Value(name: "text", kind: .text, description: "the text"),
      Value(name: "from", kind: .type("integer"), description: "the line that it begins with"),
      Value(name: "lines", kind: .type("integer"), description: "how many lines the variant has"),
    ],
    run: { call in
      let variant =
        try call.arguments.choice("variant", Variant.allCases, \.rawValue) ?? .clean
      let path = try call.path()
      let bytes = try call.files.contents(of: path)
      let language = Language(of: path)
      let text = Reading(of: bytes, as: language).text(variant, of: bytes)
      let ends = Array(text.lineStarts.dropFirst())
      let lines = try call.lines(of: text, language, endingAt: ends)
      let start = lines.lowerBound > 1 ? ends[lines.lowerBound - 2] : 0
      let end = ends.isEmpty ? 0 : ends[min(lines.upperBound, ends.count) - 1]
      let part = Array(text[start..<end])
      return Output(part) {
        $0.member("path", path)
        $0.member("text", utf8: part)
        $0.member("from", lines.lowerBound)
        $0.member("lines", ends.count)
      }
    }
  )

  static let changes = MCPTool(
    name: "changes",
    title: "List the changes",
    description:
      "Lists the changes, highlights and comments of a Markdown document as JSON: what was changed, where, the text"
      + " around it, and its comments with their authors. counts is of all of them, whatever is asked for.",
    isReadOnly: true,
    parameters: [
      .path,
      Value(
        name: "kind",
        kind: .choice(MarkKind.allCases.map(\.description)),
        description: "only those of this kind; comment: those with a comment",
        isOptional: true
      ),
      Value(
        name: "author",
        kind: .text,
        description: "only those that they made or commented on",
        isOptional: true
      ),
      .number("from", "only those from this number on"),
      .number("limit", "at most so many; next is the number to go on from"),
      Value(
        name: "detail",
        kind: .choice(Detail.allCases.map(\.rawValue)),
        description:
          "full, the default, or brief: only id, number, kind, line, the beginnings of old and new, author, comments",
        isOptional: true
      ),
    ],
    output: [
      Value(name: "version", kind: .type("integer"), description: "of the format"),
      Value(name: "file", kind: .text, description: "the document"),
      Value(
        name: "changes",
        kind: .list([]),
        description:
          "as docs/changes-format.md describes them, and id, which stays while other changes come and go"
      ),
      Value(name: "counts", kind: .type("object"), description: "how many there are"),
      .number("next", "where there are more"),
    ],
    run: { call in
      let path = try call.path()
      let kind = try call.arguments.choice("kind", MarkKind.allCases, \.description)
      let author = try call.arguments.readIfPresent("author", as: String.self)
        .map(CommentHead.shown)
      let from = try call.number("from") ?? 1
      let limit = try call.number("limit") ?? Int.max
      let detail = try call.arguments.choice("detail", Detail.allCases, \.rawValue) ?? .full
      let all = ListedChange.all(of: try call.files.contents(of: path), as: Language(of: path))
      let wanted = all.named.filter { _, change in
        let isBy =
          author.map { change.entry.attribution.author == $0 || change.entry.authors.contains($0) }
          ?? true
        return change.number >= from && isBy && kind.map(change.entry.isOf) ?? true
      }
      var writer = JSONWriter()
      writer.object {
        $0.member("version", ListedChange.formatVersion)
        $0.member("file", path)
        $0.member(
          "changes",
          array: {
            for (id, change) in wanted.prefix(limit) {
              switch detail {
              case .full: change.write(to: &$0) { $0.member("id", id) }
              case .brief: change.writeBriefly(to: &$0, named: id)
              }
            }
          }
        )
        $0.member("counts", object: ChangeCounts(of: all).writeMembers)
        $0.member("next", ifPresent: wanted.dropFirst(limit).first?.change.number)
      }
      return Output(json: writer.bytes)
    }
  )
}

/// How much is told of a change.
private enum Detail: String, CaseIterable {
  case full
  case brief
}

extension ListedChange {
  /// Writes what is needed to choose among many.
  fileprivate func writeBriefly(to writer: inout JSONWriter, named id: String) {
    writer.object {
      $0.member("id", id)
      $0.member("number", number)
      $0.member("kind", entry.code.description)
      $0.member("line", around.region.line)
      $0.member("old", clipped(entry.old))
      $0.member("new", clipped(entry.new))
      $0.member("author", entry.attribution.author)
      $0.member("comments", entry.comments.count)
    }
  }
}

extension MCPCall {
  /// The lines that are asked for, from 1: by number, or by the heading of a section.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - language: Its language.
  ///   - ends: Where each line of it ends.
  /// - Returns: The first and the last line, which can be greater than there are.
  /// - Throws: `ResponseError` if there are no such lines, or no such heading or several.
  fileprivate func lines(
    of text: [UInt8],
    _ language: Language,
    endingAt ends: [Int]
  ) throws(ResponseError) -> ClosedRange<Int> {
    let (first, last) = (try number("from"), try number("to"))
    if let heading = try arguments.readIfPresent("heading", as: String.self) {
      guard first == nil, last == nil else {
        throw .invalidParams("Either heading or from and to, not both.")
      }
      return try lines(under: heading, in: text, language, ends)
    }
    let (from, to) = (first ?? 1, last ?? max(1, ends.count))
    guard from <= max(1, ends.count) else {
      throw .invalidParams("from: the text has only \(counted(ends.count, "line"))")
    }
    guard from <= to else { throw .invalidParams("to: \(to) is before from, which is \(from)") }
    return from...to
  }

  private func lines(
    under heading: String,
    in text: [UInt8],
    _ language: Language,
    _ ends: [Int]
  ) throws(ResponseError) -> ClosedRange<Int> {
    let name = heading.drop { $0 == "#" || $0 == " " }.lowercased()
    let headings = Heading.headings(of: text, Reading(of: text, as: language))
    let names = headings.map { String(decoding: $0.name, as: UTF8.self) }
    let found = headings.indices.filter { names[$0].lowercased() == name }
    func line(at offset: Int) -> Int { ends.partitioningIndex { $0 > offset } + 1 }
    guard let index = found.first, found.count == 1 else {
      if found.isEmpty {
        let told = names.prefix(50).map { "“\($0)”" }.joined(separator: ", ")
        let all = names.isEmpty ? "the text has none" : "there are \(told)"
        throw .invalidParams("heading: there is no heading “\(heading)”; \(all)")
      }
      let starts = found.map { "\(line(at: headings[$0].range.lowerBound))" }
      let told = starts.joined(separator: ", ")
      throw .invalidParams("heading: “\(heading)” is on the lines \(told); give from and to")
    }
    let section = headings[index].section
    return line(at: section.lowerBound)...line(at: section.upperBound - 1)
  }
}
