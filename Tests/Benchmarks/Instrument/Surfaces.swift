import CLibrary
import JSONRPC

/// What an editor asks for while the user types, by method.
enum Surface: String, CaseIterable {
  case hover = "textDocument/hover"
  case completion = "textDocument/completion"
  case codeAction = "textDocument/codeAction"
  case documentHighlight = "textDocument/documentHighlight"
  case definition = "textDocument/definition"
  case references = "textDocument/references"
  case selectionRange = "textDocument/selectionRange"
  case inlayHint = "textDocument/inlayHint"
  case tokensRange = "textDocument/semanticTokens/range"
  case tokensDelta = "textDocument/semanticTokens/full/delta"
  case tokens = "textDocument/semanticTokens/full"
  case codeLens = "textDocument/codeLens"
  case foldingRange = "textDocument/foldingRange"
  case documentLink = "textDocument/documentLink"
  case documentSymbol = "textDocument/documentSymbol"
  case diagnostic = "textDocument/diagnostic"

  /// What is typed before it is asked.
  var key: UInt8 { self == .completion ? UInt8(ascii: "{") : UInt8(ascii: "a") }

  /// Whether the answer is the base of the next difference.
  fileprivate var isBase: Bool { self == .tokens || self == .tokensDelta }

  /// How many lines of a document are seen at once.
  private static let viewport = 60

  /// Writes the params beside the document.
  func write(at place: Place, base: Int, to writer: inout JSONWriter) {
    switch self {
    case .hover, .completion, .documentHighlight, .definition:
      Messages.write(place, to: &writer, "position")
    case .references:
      Messages.write(place, to: &writer, "position")
      writer.member("context", object: { $0.member("includeDeclaration", true) })
    case .codeAction:
      writeRange(from: place, to: place, &writer)
      // As editors ask by themselves, at every step of the caret.
      writer.member(
        "context",
        object: {
          $0.member("diagnostics", array: { _ in })
          $0.member("triggerKind", 2)
        }
      )
    case .selectionRange:
      writer.member(
        "positions",
        array: {
          $0.object {
            $0.member("line", place.line)
            $0.member("character", place.character)
          }
        }
      )
    case .inlayHint, .tokensRange:
      let first = max(0, place.line - Surface.viewport / 2)
      writeRange(
        from: Place(offset: 0, line: first, character: 0),
        to: Place(offset: 0, line: first + Surface.viewport, character: 0),
        &writer
      )
    case .tokensDelta: writer.member("previousResultId", "\(base)")
    case .tokens, .codeLens, .foldingRange, .documentLink, .documentSymbol, .diagnostic: break
    }
  }

  private func writeRange(from start: Place, to end: Place, _ writer: inout JSONWriter) {
    writer.member(
      "range",
      object: {
        Messages.write(start, to: &$0, "start")
        Messages.write(end, to: &$0, "end")
      }
    )
  }

  /// What a client announces that shows all of it.
  static let capabilities = """
    {"workspace":{"applyEdit":true},"textDocument":{"hover":{},"completion":{"completionItem":
    {"snippetSupport":true}},"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":
    ["quickfix","refactor","source"]}},"dataSupport":true,"resolveSupport":{"properties":["edit"]}},
    "documentHighlight":{},"definition":{},"references":{},"selectionRange":{},"inlayHint":{},
    "semanticTokens":{"requests":{"full":{"delta":true},"range":true},"formats":["relative"]},
    "codeLens":{},"foldingRange":{},"documentLink":{},"documentSymbol":
    {"hierarchicalDocumentSymbolSupport":true},"diagnostic":{}}}
    """
}

/// Types in a document that is open in a server, and asks for everything that an editor can show:
/// didChange and one request at once, to the answer; each on its own.
final class SurfaceContender: Contender {
  private let path: String
  private let arguments: [String]
  private var session: Session?
  private var places: [Place] = []
  private var next = 0
  /// How many answers were the base of a difference; servers count them from 1.
  private var bases = 0

  init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  func prepare() throws {
    let bytes = try File.read(path)
    places = Place.random(in: bytes, seed: 5)
    session = try Session(arguments, announcing: Surface.capabilities)
    _ = try session?.open(bytes)
  }

  /// A pause after which servers that wait with their lists of changes do so no more, in microseconds.
  private static let pause: UInt32 = 400_000

  func turn(_ results: inout Results) throws {
    guard let session else { return }
    for surface in Surface.allCases {
      next += 1
      let place = places[next % places.count]
      let change = session.messages.change([Messages.Change(place: place, text: [surface.key])])
      var after = place
      after.character += 1
      after.offset += 1
      var question = session.messages.ask(surface, after, base: bases)
      if surface == .diagnostic {
        // Asked at once, it would be answered after a pause: what is timed is the answer.
        try session.wire.send(change)
        usleep(SurfaceContender.pause)
      } else {
        question = change + question
      }
      results.add(
        try Clock.time {
          try session.wire.send(question)
          try session.wire.wait(for: .answer(session.messages.request))
        },
        to: surface.rawValue
      )
      if surface.isBase { bases += 1 }
      // Taken back, so that the document stays what it is.
      let back = Messages.Change(place: place, length: 1, text: [])
      try session.wire.send(session.messages.change([back]))
      try session.settle()
    }
  }

  func finish(_ results: inout Results) {
    guard let session else { return }
    results.facts["errors"] = session.wire.errors
    session.wire.hangUp()
  }
}
