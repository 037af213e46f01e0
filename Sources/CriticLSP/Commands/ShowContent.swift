import JSONRPC
import TrackEngine

extension Client {
  /// Whether it can be asked to show a text of ours.
  var opensContents: Bool { showsContents && showsDocuments }
}

extension Server {
  /// Has the client show a text of a document; returns the URI that it can be asked for with.
  func show(_ variant: Variant, of document: Document) throws(ResponseError) -> String {
    guard client.showsContents else {
      throw .requestFailed(
        "This editor does not ask a server for texts; \(CriticCommand.export.name) answers with one."
      )
    }
    let uri = ContentKey(variant, of: document.key).uri
    if client.showsDocuments {
      request("window/showDocument", for: .other, ShowDocumentParams(uri: uri, takeFocus: true))
    }
    return uri
  }
}
