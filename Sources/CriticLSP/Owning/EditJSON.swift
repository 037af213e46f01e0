import JSONRPC
import TrackEngine

/// An edit between two of our processes, in UTF-8 offsets.
struct EditJSON: JSONReadable, JSONWritable {
  let edit: Edit

  init(_ edit: Edit) { self.edit = edit }

  init(_ json: JSON) throws(ResponseError) {
    let (start, end): (Int, Int) = (try json.read("start"), try json.read("end"))
    guard start >= 0, end >= start else {
      throw .invalidParams("An edit must begin in the text, and not after its end.")
    }
    edit = Edit(start..<end, try json.readUTF8("new"))
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("start", edit.range.lowerBound)
      $0.member("end", edit.range.upperBound)
      $0.member("new", utf8: edit.new)
    }
  }
}
