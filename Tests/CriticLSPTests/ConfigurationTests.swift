import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Settings take effect at once", .timeLimited) struct ConfigurationTests {
  private static let everything =
    #"{"workspace":{"applyEdit":true,"configuration":true,"diagnostics":{"refreshSupport":true},"#
    + #""codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},"#
    + #""semanticTokens":{"refreshSupport":true}}}"#

  private func status(_ wire: Wire, _ key: StaticString) throws -> String? {
    try wire.command("status")["result"]?[key]?.description
  }

  /// Sends settings as a notification, in the section that is theirs.
  @discardableResult
  private func set(_ wire: Wire, _ members: String) -> [JSON] {
    wire.notify("workspace/didChangeConfiguration", #"{"settings":{"critic":{\#(members)}}}"#)
  }

  // MARK: - How clients send them

  @Test("Settings without a section of their own are taken, and what is not ours is passed over")
  func withoutSection() throws {
    let wire = Wire(settings: "{}")
    wire.open("one")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"tracking":"on","marking":"save","formatter":{"command":"x"}}}"#
    )
    #expect(try status(wire, "tracking") == "true")
    #expect(try status(wire, "marking") == #""save""#)
    #expect(wire.messages.shown.isEmpty)
    wire.notify("workspace/didChangeConfiguration", #"{"settings":{"idleDelay":"long"}}"#)
    #expect(wire.messages.shown.count == 1)
  }

  @Test("Settings of others alone are no settings of ours")
  func others() throws {
    let wire = Wire()
    wire.open("one")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"python":{"tracking":"off"},"editor":7}}"#
    )
    #expect(try status(wire, "tracking") == "true")
    #expect(wire.messages.shown.isEmpty)
  }

  @Test(
    "A client that sends its settings and answers nothing when asked keeps what it sent",
    arguments: ["[null]", "[]", "null", "[{}]"]
  )
  func asHelixDoes(_ answer: String) throws {
    let wire = Wire(capabilities: ConfigurationTests.everything, settings: "{}")
    wire.open("one")
    wire.notify("workspace/didChangeConfiguration", #"{"settings":{"tracking":"on"}}"#)
    wire.reply(to: try #require(wire.messages.of("workspace/configuration").first), answer)
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("A section that is taken out of the configuration leaves what the client started with")
  func takenOut() throws {
    let wire = Wire(capabilities: ConfigurationTests.everything)
    wire.open("one")
    wire.reply(
      to: try #require(wire.messages.of("workspace/configuration").last),
      #"[{"tracking":"off"}]"#
    )
    #expect(try status(wire, "tracking") == "false")
    wire.notify("workspace/didChangeConfiguration", #"{"settings":null}"#)
    wire.reply(to: try #require(wire.messages.of("workspace/configuration").last), "[null]")
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("The settings that a client starts us with may stand in a section")
  func initialSection() throws {
    let wire = Wire(settings: #"{"critic":{"tracking":"on"}}"#)
    wire.open("one")
    #expect(try status(wire, "tracking") == "true")
    #expect(wire.messages.shown.isEmpty)
  }

  @Test("We ask to be told of changes where that must be asked for", arguments: [true, false])
  func registration(_ isDynamic: Bool) throws {
    let wire = Wire(
      capabilities:
        #"{"workspace":{"didChangeConfiguration":{"dynamicRegistration":\#(isDynamic)}}}"#
    )
    let asked = wire.messages.of("client/registerCapability")
    #expect(asked.count == (isDynamic ? 1 : 0))
    let registration = asked.first?["params"]?["registrations"]?.first
    #expect(
      registration?["method"]?.string == (isDynamic ? "workspace/didChangeConfiguration" : nil)
    )
    #expect(
      registration?["registerOptions"]?["section"]?.string == (isDynamic ? "critic" : nil)
    )
  }

  @Test("Every setting has a name that is known without a section")
  func names() {
    let wire = Wire(settings: "{\(Settings.names.map { "\(json($0)):[]" }.joined(separator: ","))}")
    #expect(wire.messages.shown.count == Settings.names.count)
    #expect(wire.messages.shown.allSatisfy { !$0.contains("no setting") })
  }

  // MARK: - Each folder's own

  /// A client with two folders, one in the other, and a document in each and in none.
  private func wire(_ options: String = "{}", folders: [String] = ["/book", "/book/notes"]) throws
    -> Wire
  {
    let wire = Wire.fresh
    let uris = folders.map { #"{"uri":"file://\#($0)","name":"a"}"# }.joined(separator: ",")
    try wire.request(
      "initialize",
      #"{"processId":null,"capabilities":\#(ConfigurationTests.everything),"#
        + #""initializationOptions":\#(options),"workspaceFolders":[\#(uris)]}"#
    )
    wire.notify("initialized")
    for uri in [book, notes, other] { wire.open("one", uri: uri) }
    return wire
  }

  private let book = "file:///book/draft.md"
  private let notes = "file:///book/notes/draft.md"
  private let other = "file:///books/draft.md"

  private func answer(_ wire: Wire, _ items: String) throws {
    wire.reply(to: try #require(wire.messages.of("workspace/configuration").last), items)
  }

  /// What a setting is, as told by `critic.status`, in the folder, in the one in it, and in none.
  private func everywhere(_ wire: Wire, _ key: StaticString) throws -> [String?] {
    try [book, notes, other].map { uri in
      try wire.request(
        "workspace/executeCommand",
        #"{"command":"critic.status","arguments":[{"uri":"\#(uri)"}]}"#
      )["result"]?[key]?.description
    }
  }

  private func changeFolders(_ wire: Wire, added: String? = nil, removed: String? = nil) {
    func folders(_ path: String?) -> String {
      path.map { #"[{"uri":"file://\#($0)","name":"a"}]"# } ?? "[]"
    }
    wire.notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event":{"added":\#(folders(added)),"removed":\#(folders(removed))}}"#
    )
  }

  @Test("We ask for what holds everywhere, and for each folder")
  func questions() throws {
    for (folders, scopes) in [
      ([], [nil]), (["/book"], [nil, "file:///book"]), (["/"], [nil, "file:///"]),
      (["/book/", "/book/notes"], [nil, "file:///book", "file:///book/notes"]),
    ] as [([String], [String?])] {
      let asked = try wire(folders: folders).messages.of("workspace/configuration")
      let items = try #require(asked.first?["params"]?["items"]).elements.map(\.self)
      #expect(items.map { $0["scopeUri"]?.string } == scopes)
      #expect(items.allSatisfy { $0["section"]?.string == "critic" })
      #expect(asked.count == 1)
    }
  }

  @Test("A document has the settings of the innermost folder that holds it, else the others")
  func scoped() throws {
    let wire = try wire()
    try answer(wire, #"[{"tracking":"on"},{"marking":"save"},{"tracking":"off","marking":"idle"}]"#)
    #expect(try everywhere(wire, "tracking") == ["true", "false", "true"])
    #expect(try everywhere(wire, "marking") == [#""save""#, #""idle""#, #""save""#])
    wire.notify("workspace/didChangeConfiguration", #"{"settings":null}"#)
    try answer(wire, #"[{},{"tracking":"on"},{}]"#)
    #expect(try everywhere(wire, "tracking") == ["true", "false", "false"])
  }

  @Test("What a folder says, a document has that is opened later")
  func openedLater() throws {
    let wire = try wire()
    try answer(wire, #"[{},{"tracking":"on"},{}]"#)
    for uri in [book, notes, other] {
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(uri)"}}"#)
      wire.open("another", uri: uri)
    }
    #expect(try everywhere(wire, "tracking") == ["true", "false", "false"])
  }

  @Test(
    "A client that leaves folders out, or has nothing for them, is understood",
    arguments: [
      #"[{"tracking":"on"}]"#, #"[{"tracking":"on"},null]"#, #"[{"tracking":"on"},{},null]"#,
      #"[{"tracking":"on"},{"tracking":"on"},{"tracking":"on"},{"tracking":"off"}]"#,
    ]
  )
  func short(_ items: String) throws {
    let wire = try wire()
    try answer(wire, items)
    #expect(try everywhere(wire, "tracking") == ["true", "true", "true"])
    #expect(wire.messages.shown.isEmpty)
  }

  @Test("A client that refuses to tell of folders is asked without them, once")
  func refused() throws {
    let wire = try wire()
    wire.fail(try #require(wire.messages.of("workspace/configuration").last))
    let asked = wire.messages.of("workspace/configuration")
    #expect(asked.count == 2)
    #expect(asked.last?["params"]?["items"]?.count == 1)
    try answer(wire, #"[{"tracking":"on"}]"#)
    #expect(try everywhere(wire, "tracking") == ["true", "true", "true"])
    wire.fail(try #require(wire.messages.of("workspace/configuration").last))
    #expect(wire.messages.of("workspace/configuration").count == 2)
  }

  @Test("A folder that goes loses its settings, and one that comes is asked about")
  func foldersChange() throws {
    let wire = try wire(folders: ["/book"])
    try answer(wire, #"[{"tracking":"off"},{"tracking":"on"}]"#)
    #expect(try everywhere(wire, "tracking") == ["true", "true", "false"])
    changeFolders(wire, removed: "/book")
    #expect(try everywhere(wire, "tracking") == ["false", "false", "false"])
    #expect(wire.messages.of("workspace/configuration").count == 1, "there is no folder")
    changeFolders(wire, added: "/books")
    #expect(wire.messages.of("workspace/configuration").count == 2)
    changeFolders(wire, removed: "/books")
    try answer(wire, #"[{"tracking":"off"},{"tracking":"on"}]"#)
    #expect(try everywhere(wire, "tracking") == ["false", "false", "false"], "gone meanwhile")
  }

  @Test("Settings that are sent hold but for what folders have otherwise, which is asked again")
  func sent() throws {
    let wire = try wire()
    // The second folder's are those of all: the client has none for it.
    try answer(wire, #"[{"marking":"save"},{"marking":"idle"},{"marking":"save"}]"#)
    set(wire, #""marking":"command""#)
    #expect(try everywhere(wire, "marking") == [#""idle""#, #""command""#, #""command""#])
    #expect(wire.messages.of("workspace/configuration").count == 2)
    try answer(wire, #"[{"marking":"save"},{"marking":"save"},{"marking":"idle"}]"#)
    #expect(try everywhere(wire, "marking") == [#""command""#, #""idle""#, #""command""#])
    wire.notify("workspace/didChangeConfiguration", #"{"settings":null}"#)
    try answer(wire, #"[{"marking":"save"},null,null]"#)
    #expect(try everywhere(wire, "marking") == [#""save""#, #""save""#, #""save""#])
  }

  @Test("A folder's wrong setting is told once, and its others are taken")
  func wrongOfFolder() throws {
    let wire = try wire()
    try answer(wire, #"[{"traking":1},{"traking":1,"tracking":"on","severity":"loud"}]"#)
    #expect(wire.messages.shown.count == 2)
    #expect(try everywhere(wire, "tracking") == ["true", "false", "false"])
  }

  // MARK: - What follows

  @Test(
    "A change of tracking holds for documents that are open",
    arguments: [
      (#""on""#, "one", true), (#""off""#, "{++one++}", false), (#""auto""#, "one", false),
      (#""auto""#, "{++one++}", true),
      (#""auto""#, "---\ncriticmark: {tracking: true}\n---\n", true),
    ]
  )
  func tracking(_ setting: String, _ text: String, _ isTracked: Bool) throws {
    let wire = Wire(settings: #"{"tracking":"\#(isTracked ? "off" : "on")"}"#)
    wire.open(text)
    #expect(try status(wire, "tracking") == "\(!isTracked)")
    set(wire, #""tracking":\#(setting)"#)
    #expect(try status(wire, "tracking") == "\(isTracked)")
  }

  @Test("With auto, what is pending keeps a document tracked")
  func pending() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    set(wire, #""tracking":"auto""#)
    #expect(try status(wire, "tracking") == "true")
    try wire.pause()
    #expect(wire.buffer == "one{++x++}")
  }

  @Test("What the user said about a document is stronger than the setting")
  func choice() throws {
    let wire = Wire()
    wire.open("one")
    try wire.command("toggleTracking", #""on":false"#)
    set(wire, #""tracking":"auto""#)
    set(wire, #""tracking":"on""#)
    #expect(try status(wire, "tracking") == "false")
  }

  @Test("Another setting leaves tracking as it is")
  func unrelated() throws {
    let wire = Wire(settings: #"{"tracking":"auto"}"#)
    wire.open("{++x++} one")
    try wire.command("acceptAll")
    wire.takeEdits()
    #expect(wire.buffer == "x one")
    set(wire, #""tracking":"auto","severity":"hint""#)
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("Marking that is switched to idle marks what is pending")
  func marking() throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"command"}"#)
    wire.open("one")
    try wire.type("x")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(set(wire, #""marking":"idle""#).edits.count == 1)
  }

  @Test("Front matter is tracked from the moment that the setting says so")
  func frontMatter() throws {
    let wire = Wire()
    wire.open("---\ntitle: a\n---\none\n")
    set(wire, #""frontMatter":"track""#)
    try wire.type("x", before: "\n---\none")
    #expect(wire.wait(750).edits.count == 1)
  }

  @Test("The list of changes of every open document is published anew")
  func republished() {
    let wire = Wire()
    wire.open("{++a++}")
    wire.open("{++b++}", uri: "file:///other.md")
    let published = set(wire, #""severity":"hint""#).published
    #expect(published.map { $0["uri"]?.string } == ["file:///draft.md", "file:///other.md"])
    #expect(set(wire, #""severity":"hint""#).isEmpty, "nothing has changed")
  }

  @Test(
    "What an editor shows is asked for again when it is switched off",
    arguments: [
      ("codeLens", "codeLens"), ("inlayHints", "inlayHint"), ("semanticTokens", "semanticTokens"),
    ]
  )
  func refreshes(_ setting: String, _ method: String) {
    let wire = Wire(capabilities: ConfigurationTests.everything)
    let sent = set(wire, #""\#(setting)":false"#)
    let refreshes = sent.compactMap { $0["method"]?.string }.filter { $0.hasSuffix("/refresh") }
    #expect(refreshes == ["workspace/\(method)/refresh"])
    let old = Wire(capabilities: Wire.editing)
    #expect(set(old, #""\#(setting)":false"#).allSatisfy { $0["id"] == nil })
  }

  @Test(
    "The idle delay may be as long as an hour",
    arguments: [(0, true), (3_600_000, true), (3_600_001, false), (-1, false)]
  )
  func idleDelay(_ delay: Int, _ isTaken: Bool) throws {
    var settings = Settings()
    let problems = settings.merge(try JSON(parsing: Array(#"{"idleDelay":\#(delay)}"#.utf8)))
    #expect(problems.isEmpty == isTaken)
    #expect((settings.idleDelay == delay) == isTaken)
  }

  @Test("New settings have an edit tried again that a client said it made, and did not")
  func triesAgain() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    wire.reply(to: try #require(wire.wait(750).edits.first))
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(set(wire, #""tracking":"on","idleDelay":500"#).edits.count == 1)
  }
}
