import TrackEngine

/// The texts of documents that the client has asked for and may still show, and which documents were open.
///
/// A text is forgotten once the client is told that it has changed: if it still shows it, it asks again.
struct AskedContents {
  private struct Told {
    let key: ContentKey
    /// As the client spells it.
    let uri: String
    let text: TextHash
    /// The document's revision when the text was last made; nil if it was not open.
    var revision: Int?
  }

  /// Oldest first.
  private var told: [Told] = []
  private var closed = RecentSet<DocumentKey>()

  /// Notes that the client was told a text.
  mutating func noteTold(_ asked: AskedContent, _ text: TextHash, revision: Int?) {
    told.removeAll { $0.key == asked.key }
    told.append(Told(key: asked.key, uri: asked.uri, text: text, revision: revision))
  }

  /// Notes that the client no longer shows a text.
  mutating func forget(_ key: ContentKey) { told.removeAll { $0.key == key } }

  /// Notes that a document was closed.
  mutating func noteClosed(_ key: DocumentKey) { closed.insert(key) }

  /// Whether the client has opened a document and closed it.
  func wasOpen(_ key: DocumentKey) -> Bool { closed.contains(key) }

  /// The documents of which a text was told at another revision.
  func changed(in documents: OpenDocuments) -> [Document] {
    var changed: [Document] = []
    for one in told {
      guard let document = documents[one.key.document], document.revision != one.revision,
        !changed.contains(where: { $0 === document })
      else { continue }
      changed.append(document)
    }
    return changed
  }

  /// Compares the texts of a document with what was told.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - text: Makes one of its texts.
  /// - Returns: The URIs of those that are others by now, which are forgotten.
  mutating func look(at document: Document, _ text: (Variant) -> TextHash) -> [String] {
    var outdated: [String] = []
    for index in told.indices.reversed() where told[index].key.document == document.key {
      if told[index].text == text(told[index].key.variant) {
        told[index].revision = document.revision
      } else {
        outdated.insert(told.remove(at: index).uri, at: 0)
      }
    }
    return outdated
  }
}
