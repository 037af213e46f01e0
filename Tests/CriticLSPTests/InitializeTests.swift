import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

/// What nine clients really send, and what follows from it.
enum RecordedClient: String, CaseIterable {
  case eglot19 = "emacs_28.2_eglot_1.9"
  case eglot117 = "emacs_30.1_eglot_1.17.30"
  case helix2501 = "helix_25.01.1"
  case helix2507 = "helix_25.07.1"
  case neovim07 = "neovim_0.7.2"
  case neovim010 = "neovim_0.10.4"
  case neovim012 = "neovim_0.12.4"
  case vimLSP = "vim_9.0_vim-lsp"
  case yegappan = "vim_9.0_yegappan-lsp"

  var encoding: String {
    switch self {
    case .eglot117, .helix2501, .helix2507, .neovim012: "utf-8"
    case .eglot19, .neovim07, .neovim010: "utf-16"
    case .vimLSP, .yegappan: "utf-32"
    }
  }

  var marking: String {
    switch self {
    case .helix2501, .helix2507, .neovim07, .neovim010, .neovim012: "idle"
    case .eglot19, .eglot117, .vimLSP, .yegappan: "save"
    }
  }

  /// Of those that mark on save, the ones that don't ask before it.
  var marksAfterSaving: Bool { self == .eglot19 || self == .vimLSP || self == .yegappan }

  var takesTags: Bool { self != .vimLSP && self != .yegappan }

  /// Whether it asks for the list of changes instead of being sent it.
  var pulls: Bool {
    switch self {
    case .helix2507, .neovim010, .neovim012, .yegappan: true
    case .eglot19, .eglot117, .helix2501, .neovim07, .vimLSP: false
    }
  }

  var takesRelatedInformation: Bool {
    switch self {
    case .neovim07, .neovim010, .neovim012, .vimLSP: true
    case .eglot19, .eglot117, .helix2501, .helix2507, .yegappan: false
    }
  }

  /// Whether it asks for nothing but formatting before it saves, if it asks at all.
  var savesThroughFormatting: Bool {
    switch self {
    case .helix2501, .helix2507, .neovim07, .vimLSP, .yegappan: true
    case .eglot19, .eglot117, .neovim010, .neovim012: false
    }
  }

  /// What the client can show, by the name of its capability.
  var features: Set<String> {
    let known: Set = [
      "completion", "definition", "documentHighlight", "documentSymbol", "hover", "references",
    ]
    return switch self {
    case .eglot19: known
    // Helix 25.01 announces completion, hover and hints of these, and does all of them.
    case .eglot117, .helix2501: known.union(["inlayHint"])
    case .helix2507: known.union(["documentLink", "inlayHint"])
    // Neovim shows lenses to those who ask for them, and announces them since 0.12.
    case .neovim07: known.union(["codeLens"])
    case .neovim010: known.union(["codeLens", "inlayHint"])
    case .neovim012:
      known.union(["codeLens", "documentLink", "foldingRange", "inlayHint", "selectionRange"])
    case .vimLSP: known.union(["codeLens", "documentLink", "foldingRange", "inlayHint"])
    case .yegappan: known.union(["codeLens", "foldingRange", "inlayHint", "selectionRange"])
    }
  }

  /// What of semantic tokens the client asks for.
  var semanticTokens: String? {
    switch self {
    case .neovim010, .yegappan: #"{"delta":true} nil"#
    case .neovim012: #"{"delta":true} true"#
    case .eglot19, .eglot117, .helix2501, .helix2507, .neovim07, .vimLSP: nil
    }
  }

  var resolvesActions: Bool { self != .eglot19 && self != .vimLSP }

  var hoversInMarkdown: Bool { self != .eglot19 && self != .eglot117 }

  var nestsSymbols: Bool { self != .helix2501 && self != .helix2507 && self != .vimLSP }

  /// LSP's `SymbolKind` for a deletion: not every client says which kinds it knows.
  var deletionKind: Int { self == .helix2501 ? 15 : 24 }

  var tagsSymbols: Bool { self == .neovim012 }

  var linksDefinitions: Bool { self != .helix2501 && self != .helix2507 }

  var completesSnippets: Bool {
    self == .helix2501 || self == .helix2507 || self == .neovim012
  }

  var showsFoldedText: Bool { self == .neovim012 || self == .yegappan }

  /// A connection with this client in which a document is open; the answer to `initialize` is its
  /// first message.
  func wire(_ text: String) throws -> Wire {
    let file = Repository.root.appending(path: "Tests/Sessions/initialize/\(rawValue).json")
    let params = try String(contentsOf: file, encoding: .utf8)
    let wire = Wire.fresh
    try wire.request("initialize", params.replacing("\n", with: " "))
    wire.notify("initialized")
    wire.open(text, version: 4)
    return wire
  }
}

@Suite("Initialize, as real clients send it", .timeLimited) struct InitializeTests {
  @Test(
    "Each client gets a position encoding that it offered, or the one that it counts in",
    arguments: RecordedClient.allCases
  )
  func encoding(_ client: RecordedClient) throws {
    let wire = try client.wire("{++x++}")
    let answer = try #require(wire.messages.first?["result"])
    #expect(answer["capabilities"]?["positionEncoding"]?.string == client.encoding)
    #expect(answer["serverInfo"]?["name"]?.string == "critic-lsp")
  }

  @Test(
    "UTF-8 is taken where it is offered, else what is offered first; UTF-16 is always understood",
    arguments: [
      ("", "utf-16"), (#""positionEncodings":[]"#, "utf-16"),
      (#""positionEncodings":["utf-32"]"#, "utf-32"),
      (#""positionEncodings":["utf-32","utf-16"]"#, "utf-32"),
      (#""positionEncodings":["utf-16","utf-8"]"#, "utf-8"),
      (#""positionEncodings":["utf-7"]"#, "utf-16"), (#""positionEncodings":null"#, "utf-16"),
    ]
  )
  func choice(_ offered: String, _ chosen: String) throws {
    let answer = try Wire.fresh.request(
      "initialize",
      #"{"capabilities":{"general":{\#(offered)}}}"#
    )
    #expect(answer["result"]?["capabilities"]?["positionEncoding"]?.string == chosen)
  }

  @Test("What is promised is what is answered")
  func capabilities() throws {
    let wire = Wire()
    let capabilities = try #require(wire.messages.first?["result"]?["capabilities"])
    let sync = capabilities["textDocumentSync"]
    #expect(sync?["openClose"]?.bool == true)
    #expect(sync?["change"]?.integer == 2)
    #expect(sync?["willSaveWaitUntil"]?.bool == true)
    #expect(sync?["save"] != nil)
    let commands = capabilities["executeCommandProvider"]?["commands"]?.elements
    for command in try #require(commands) {
      let name = try #require(command.string)
      #expect(name.hasPrefix("critic."))
      let answer = try wire.request("workspace/executeCommand", #"{"command":"\#(name)"}"#)
      #expect(answer.problem.hasPrefix("\(name) takes"))
    }
  }

  @Test("Each client is marked at the time that it can bear", arguments: RecordedClient.allCases)
  func marking(_ client: RecordedClient) throws {
    let wire = try client.wire("{++x++} one two\n")
    #expect(try wire.command("status")["result"]?["marking"]?.string == client.marking)
    try wire.type("é", before: "two")
    let isIdle = client.marking == "idle"
    #expect(wire.wait(60_000).edits.isEmpty == !isIdle)
    guard !isIdle else { return }
    let saved = wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))}}"#
    )
    #expect(saved.edits.isEmpty == !client.marksAfterSaving)
    if let edit = saved.edits.first {
      wire.apply(edit)
    } else {
      let formatted = try wire.request(
        "textDocument/formatting",
        #"{"textDocument":{"uri":\#(json(wire.uri))},"options":{}}"#
      )
      wire.change(wire.edits(formatted["result"]))
    }
    #expect(wire.buffer == "{++x++} one {++é++}two\n")
  }

  @Test(
    "Edits name the integer version and nothing that a client trips over",
    arguments: RecordedClient.allCases
  )
  func edit(_ client: RecordedClient) throws {
    let wire = try client.wire("{++x++} one\n")
    try wire.type("ü", before: "one")
    try wire.command("mark")
    let params = try #require(wire.messages.edits.first?["params"])
    #expect(params.members.map(\.key) == ["edit"])
    let edit = try #require(params["edit"])
    #expect(edit.members.map(\.key) == ["documentChanges"])
    #expect(edit["documentChanges"]?.count == 1)
    let document = try #require(edit["documentChanges"]?.first)
    #expect(document["textDocument"]?["version"]?.description == "5")
    #expect(document["textDocument"]?["uri"]?.string == wire.uri)
    for edit in try #require(document["edits"]).elements {
      #expect(Set(edit.members.map(\.key)) == ["range", "newText"])
    }
    wire.apply(try #require(wire.messages.edits.first))
    #expect(wire.buffer == "{++x++} {++ü++}one\n")
  }

  @Test(
    "Tags and related information go to those who announced them",
    arguments: RecordedClient.allCases
  )
  func diagnostics(_ client: RecordedClient) throws {
    let wire = try client.wire("a {--red--}{>>why?<<} fox\n")
    #expect(wire.messages.published.isEmpty == client.pulls)
    let list = try #require(
      client.pulls
        ? try wire.pull()["items"] : wire.messages.published.first?["diagnostics"]
    )
    #expect(list.count == 1)
    let diagnostic = try #require(list.first)
    #expect(diagnostic["tags"]?.description == (client.takesTags ? "[2]" : nil))
    #expect((diagnostic["relatedInformation"] != nil) == client.takesRelatedInformation)
    #expect(diagnostic["message"]?.string?.hasPrefix("Deleted “red” · why?\n") == true)
  }

  @Test(
    "Clients are asked for their configuration if they announced that they answer",
    arguments: RecordedClient.allCases
  )
  func configuration(_ client: RecordedClient) throws {
    let asked = try client.wire("").messages.of("workspace/configuration")
    #expect(asked.count == (client == .neovim07 ? 0 : 1))
    for request in asked {
      #expect(request["params"]?["items"]?.first?["section"]?.string == "critic")
    }
  }

  @Test(
    "Lists of changes can be asked for where that was announced, and are sent elsewhere",
    arguments: RecordedClient.allCases
  )
  func pull(_ client: RecordedClient) throws {
    let wire = try client.wire("{++x++}")
    let provider = wire.messages.first?["result"]?["capabilities"]?["diagnosticProvider"]
    #expect((provider != nil) == client.pulls)
    try wire.type("y")
    wire.takeEdits()
    #expect(wire.messages.published.isEmpty == client.pulls)
    let asksAgain = !wire.messages.of("workspace/diagnostic/refresh").isEmpty
    #expect(asksAgain == (client == .neovim012))
  }

  @Test(
    "Each client's log says who is served, and how",
    arguments: [
      (RecordedClient.neovim012, "Neovim 0.12.4: positions in utf-8, changes marked by idle"),
      (.helix2501, "helix 25.01.1: positions in utf-8, changes marked by idle"),
      (.vimLSP, "vim-lsp: positions in utf-32, changes marked by save"),
      (.eglot19, "an editor without a name: positions in utf-16, changes marked by save"),
    ]
  )
  func greeting(_ client: RecordedClient, _ start: String) throws {
    let logged = try client.wire("").messages.logged
    #expect(logged.count == 1)
    #expect(logged.first?.hasPrefix("critic-lsp \(version) serves \(start)") == true)
  }

  @Test(
    "vim-lsp counts characters, until it says otherwise",
    arguments: [("{}", "utf-32"), (#"{"positionEncodings":["utf-16"]}"#, "utf-16")]
  )
  func characters(_ general: String, _ chosen: String) {
    let wire = Wire(client: "vim-lsp", capabilities: #"{"general":\#(general)}"#)
    let capabilities = wire.messages.first?["result"]?["capabilities"]
    #expect(capabilities?["positionEncoding"]?.string == chosen)
  }

  @Test("A processId is kept, null and none are not", arguments: [("4711", 4711), ("null", nil)])
  func process(_ processID: String, _ expected: Int?) throws {
    let wire = Wire.fresh
    try wire.request("initialize", #"{"processId":\#(processID),"capabilities":{}}"#)
    #expect(wire.server.clientProcess == expected)
  }

  @Test("Each client is promised what it can show", arguments: RecordedClient.allCases)
  func features(_ client: RecordedClient) throws {
    let wire = try client.wire("")
    let capabilities = try #require(wire.messages.first?["result"]?["capabilities"])
    for feature in Feature.allCases {
      let provider = capabilities["\(feature.rawValue)Provider"]
      #expect((provider != nil) == client.features.contains(feature.rawValue), "\(feature)")
    }
  }

  @Test(
    "Colours, and actions in two steps, are promised to those who want them",
    arguments: RecordedClient.allCases
  )
  func colours(_ client: RecordedClient) throws {
    let capabilities = try client.wire("").messages.first?["result"]?["capabilities"]
    let tokens = capabilities?["semanticTokensProvider"].map {
      "\($0["full"]?.description ?? "nil") \($0["range"]?.description ?? "nil")"
    }
    #expect(tokens == client.semanticTokens)
    let resolves = capabilities?["codeActionProvider"]?["resolveProvider"]?.bool ?? false
    #expect(resolves == client.resolvesActions)
  }

  @Test(
    "Formatting is promised to those who have no other way to ask for marks before they save",
    arguments: RecordedClient.allCases
  )
  func formatting(_ client: RecordedClient) throws {
    let capabilities = try client.wire("").messages.first?["result"]?["capabilities"]
    let isPromised = capabilities?["documentFormattingProvider"]?.bool ?? false
    #expect(isPromised == client.savesThroughFormatting)
  }

  @Test("A client that announces nothing is promised nothing but edits")
  func nothing() throws {
    for announced in ["{}", #"{"textDocument":{"hover":null}}"#] {
      let answer = try Wire.fresh.request("initialize", #"{"capabilities":\#(announced)}"#)
      let names = try #require(answer["result"]?["capabilities"]).members.map(\.key)
      #expect(
        names == [
          "positionEncoding", "textDocumentSync", "codeActionProvider",
          "documentFormattingProvider", "executeCommandProvider", "workspace",
        ]
      )
      let told = try #require(answer["result"]?["capabilities"]?["workspace"]).members.map(\.key)
      #expect(told == ["fileOperations"])
    }
  }

  @Test("Each client is answered in the form that it announced", arguments: RecordedClient.allCases)
  func forms(_ client: RecordedClient) throws {
    let wire = try client.wire("# One\n\n{--a\nb--}{>>why<<} {\n")
    let hover = try wire.ask("hover", at: 8)["contents"]?["kind"]?.string
    #expect(hover == (client.hoversInMarkdown ? "markdown" : "plaintext"))

    let symbol = try #require(try wire.ask("documentSymbol").first)
    #expect((symbol["location"] == nil) == client.nestsSymbols)
    let deletion = client.nestsSymbols ? try #require(symbol["children"]?.first) : symbol
    #expect(deletion["kind"]?.integer == client.deletionKind)
    #expect((deletion["tags"] != nil) == client.tagsSymbols)

    let comment = try wire.offsets(of: "why").lowerBound
    let definition = try #require(try wire.ask("definition", at: comment).first)
    #expect((definition["targetUri"] != nil) == client.linksDefinitions)
    #expect((definition["uri"] == nil) == client.linksDefinitions)

    let item = try #require(
      try wire.ask("completion", at: wire.offsets(of: "{\n").lowerBound + 1).first
    )
    #expect((item["insertTextFormat"] != nil) == client.completesSnippets)

    // All of them that fold do so line by line, and the comment stands on the fold's last line.
    guard client.features.contains("foldingRange") else { return }
    #expect(try wire.ask("foldingRange").count == 0)
    wire.open("{--a\nb--}\n", version: 9)
    let fold = try #require(try wire.ask("foldingRange").first)
    #expect((fold["collapsedText"] != nil) == client.showsFoldedText)
  }
}
