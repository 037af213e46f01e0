import JSONRPC

/// The replacement of a range.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textEdit
struct TextEdit {
  var range: Range<Position>
  var newText: [UInt8]
}

extension TextEdit: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    range = try json.read("range")
    newText = try json.readUTF8("newText")
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("newText", utf8: newText)
    }
  }
}
