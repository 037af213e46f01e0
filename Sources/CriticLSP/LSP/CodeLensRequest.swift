import JSONRPC

/// The params of `textDocument/codeLens`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeLens
struct CodeLensParams: DocumentParams {
  let textDocument: TextDocumentIdentifier

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// A command above a line, unresolved.
struct CodeLens<Data: JSONWritable>: JSONWritable {
  let range: Range<Position>
  let data: Data

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("data", data)
    }
  }
}

/// A lens as the client sent it, with its command.
struct ResolvedCodeLens: JSONWritable {
  let lens: JSON
  let command: Command

  func write(to writer: inout JSONWriter) {
    writer.object {
      for (name, value) in lens.members where name != "command" {
        $0.key(name)
        $0.json(value)
      }
      $0.member("command", command)
    }
  }
}
