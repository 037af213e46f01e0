import JSONRPC

/// What an editor says to a language server, framed.
struct Messages {
  private var version = 1
  private(set) var request = 1_000_000

  private static let uri = "file:///benchmark.md"

  /// The beginning of a session.
  ///
  /// - Parameter capabilities: What the client announces, as JSON.
  /// - Returns: The request.
  /// - Throws: If that is not JSON.
  mutating func initialize(announcing capabilities: String = "{}") throws -> [UInt8] {
    let capabilities = try JSON(parsing: Array(capabilities.utf8))
    return framed("initialize", isRequest: true) {
      $0.member("processId", JSONNull())
      $0.member("rootUri", JSONNull())
      $0.key("capabilities")
      $0.json(capabilities)
      // Keystrokes are measured where they are recorded, whatever the document.
      $0.member("initializationOptions", object: { $0.member("tracking", "on") })
    }
  }

  mutating func initialized() -> [UInt8] { framed("initialized", isRequest: false) { _ in } }

  mutating func open(_ bytes: [UInt8]) -> [UInt8] {
    version += 1
    let version = version
    return framed("textDocument/didOpen", isRequest: false) {
      $0.member(
        "textDocument",
        object: {
          $0.member("uri", Messages.uri)
          $0.member("languageId", "markdown")
          $0.member("version", version)
          $0.key("text")
          $0.string(utf8: bytes)
        }
      )
    }
  }

  /// A change of the document in one or more places, or of all of it.
  mutating func change(_ changes: [Change]) -> [UInt8] {
    version += 1
    let version = version
    return framed("textDocument/didChange", isRequest: false) {
      $0.member(
        "textDocument",
        object: {
          $0.member("uri", Messages.uri)
          $0.member("version", version)
        }
      )
      $0.member(
        "contentChanges",
        array: { for change in changes { $0.object { change.write(to: &$0) } } }
      )
    }
  }

  struct Change {
    /// Where it begins; nil if it is the whole text that is new.
    var place: Place?
    /// How many characters are replaced.
    var length = 0
    var text: [UInt8]

    fileprivate func write(to writer: inout JSONWriter) {
      if let place {
        writer.member(
          "range",
          object: {
            Messages.write(place, to: &$0, "start")
            var end = place
            end.character += length
            Messages.write(end, to: &$0, "end")
          }
        )
      }
      writer.key("text")
      writer.string(utf8: text)
    }
  }

  mutating func hover(_ place: Place) -> [UInt8] { ask(.hover, place) }

  /// Asks what an editor shows.
  ///
  /// - Parameters:
  ///   - surface: What is to be shown.
  ///   - place: Where the caret is.
  ///   - base: Which answer a difference is to be told from.
  /// - Returns: The request.
  mutating func ask(_ surface: Surface, _ place: Place, base: Int = 0) -> [UInt8] {
    framed(surface.rawValue, isRequest: true) {
      $0.member("textDocument", object: { $0.member("uri", Messages.uri) })
      surface.write(at: place, base: base, to: &$0)
    }
  }

  mutating func shutdown() -> [UInt8] { framed("shutdown", isRequest: true) { _ in } }

  mutating func exit() -> [UInt8] { framed("exit", isRequest: false) { _ in } }

  static func write(_ place: Place, to writer: inout JSONWriter, _ name: StaticString) {
    writer.member(
      name,
      object: {
        $0.member("line", place.line)
        $0.member("character", place.character)
      }
    )
  }

  private mutating func framed(
    _ method: String,
    isRequest: Bool,
    _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("jsonrpc", "2.0")
      if isRequest {
        request += 1
        $0.member("id", request)
      }
      $0.member("method", method)
      $0.member("params", object: params)
    }
    return Framing.frame(writer.bytes)
  }

  private struct JSONNull: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.null() }
  }
}
