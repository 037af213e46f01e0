import JSONRPC

// The colours of a text.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens

/// The params of `textDocument/semanticTokens/full/delta`.
struct SemanticTokensDeltaParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let previousResultId: String

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    previousResultId = try json.read("previousResultId")
  }
}

/// The tokens of a document or of a range, five numbers for each.
struct SemanticTokens: JSONWritable {
  let resultId: String?
  let data: [UInt32]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("resultId", ifPresent: resultId)
      $0.member("data", array: { writeNumbers(data[...], to: &$0) })
    }
  }
}

/// The tokens of a document, as a delta or in full.
enum SemanticTokensOrDelta: JSONWritable {
  case tokens(SemanticTokens)
  case delta(SemanticTokensDelta)

  func write(to writer: inout JSONWriter) {
    switch self {
    case .tokens(let tokens): tokens.write(to: &writer)
    case .delta(let delta): delta.write(to: &writer)
    }
  }
}

/// The changes to the tokens of a document.
struct SemanticTokensDelta: JSONWritable {
  let resultId: String
  let edits: [SemanticTokensEdit]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("resultId", resultId)
      $0.member("edits", edits)
    }
  }
}

/// The replacement of some numbers.
struct SemanticTokensEdit: JSONWritable {
  let start: Int
  let deleteCount: Int
  let data: ArraySlice<UInt32>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("start", start)
      $0.member("deleteCount", deleteCount)
      $0.member("data", array: { writeNumbers(data, to: &$0) })
    }
  }
}

private func writeNumbers(_ numbers: ArraySlice<UInt32>, to writer: inout JSONWriter) {
  for number in numbers { writer.integer(Int(number)) }
}
