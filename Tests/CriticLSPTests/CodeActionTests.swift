import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Code actions", .timeLimited) struct CodeActionTests {
  /// What a client announces about code actions.
  private static func capabilities(_ actions: String, showing: Bool = false) -> String {
    #"{"workspace":{"applyEdit":true},"window":{"showDocument":{"support":\#(showing)}},"#
      + #""textDocument":{"codeAction":{"codeActionLiteralSupport":{}\#(actions)}}}"#
  }

  private static let plain = capabilities("")
  private static let disabling = capabilities(#","disabledSupport":true"#)
  private static let resolving = capabilities(
    #","dataSupport":true,"resolveSupport":{"properties":["edit","command"]}"#
  )
  private static let resolvingEdits = capabilities(
    #","dataSupport":true,"resolveSupport":{"properties":["edit"]}"#,
    showing: true
  )
  private static let everything = capabilities(
    #","dataSupport":true,"disabledSupport":true,"#
      + #""resolveSupport":{"properties":["edit","command"]}"#,
    showing: true
  )

  private func wire(_ text: String, _ capabilities: String = plain) -> Wire {
    let wire = Wire(capabilities: capabilities)
    wire.open(text)
    return wire
  }

  private func ask(_ wire: Wire, _ range: Range<Int>, _ context: String = "") throws -> [JSON] {
    let answer = try wire.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(wire.range(range)),"#
        + #""context":{\#(context.contains("diagnostics") ? "" : #""diagnostics":[]"#)"#
        + #"\#(context.isEmpty || context.contains("diagnostics") ? "" : ",")\#(context)}}"#
    )
    return Array(try #require(answer["result"]).elements)
  }

  /// The code actions for a caret before a text.
  private func actions(_ wire: Wire, at place: String, _ context: String = "") throws -> [JSON] {
    let caret = try wire.offsets(of: place).lowerBound
    return try ask(wire, caret..<caret, context)
  }

  private func titles(_ actions: [JSON]) -> [String] {
    actions.compactMap { $0["title"]?.string }
  }

  private func named(_ title: String, _ actions: [JSON]) throws -> JSON {
    try #require(
      actions.first { $0["title"]?.string == title },
      "no “\(title)” in \(titles(actions))"
    )
  }

  /// Has an action resolved and applies it.
  @discardableResult
  private func choose(_ action: JSON, _ wire: Wire) throws -> JSON {
    let answer = try wire.request("codeAction/resolve", action.description)
    let resolved = try #require(answer["result"], "\(answer.problem)")
    wire.apply(resolved)
    return resolved
  }

  // MARK: - What is announced

  @Test("Every kind that comes is announced, with what resolves it where the client can")
  func announced() throws {
    let offered = try #require(wire("", Self.resolving).messages.first?["result"])
    let provider = offered["capabilities"]?["codeActionProvider"]
    #expect(provider?["resolveProvider"]?.bool == true)
    let kinds = provider?["codeActionKinds"]?.elements.compactMap(\.string) ?? []
    #expect(Set(kinds).count == kinds.count)
    let text = "# A\n{++b++} {--c--}{++d++} {~~e~>f~~}{>>g<<}\n# B\n{--h--} {++i\n"
    for place in ["b++", "d++", "f~~", "g<<", "h--", "{++i"] {
      for action in try actions(wire(text), at: place) {
        #expect(kinds.contains(action["kind"]?.string ?? ""), "\(action)")
      }
    }
    let plain = wire("").messages.first?["result"]?["capabilities"]?["codeActionProvider"]
    #expect(plain?["resolveProvider"] == nil)
  }

  // MARK: - By kind and by section

  @Test("At a change all of its kind can be settled; elsewhere each kind, and comments removed")
  func byKind() throws {
    let wire = wire("a {++b++} {++c++} {--d--}{>>e<<} {>>f<<} g\n")
    let onAddition = titles(try actions(wire, at: "b++", #""only":["source.critic"]"#))
    #expect(
      onAddition == [
        "Accept all 3 changes", "Reject all 3 changes", "Accept all 2 additions",
        "Reject all 2 additions", "Remove all highlights and comments", "Stop tracking changes",
      ]
    )
    let onDeletion = titles(try actions(wire, at: "d--", #""only":["source.critic.acceptKind"]"#))
    #expect(onDeletion.isEmpty, "there is one, and it is at the caret")
    let elsewhere = titles(
      try actions(
        wire,
        at: "g\n",
        #""only":["source.critic.acceptKind","source.critic.rejectKind"]"#
      )
    )
    #expect(
      elsewhere == [
        "Accept all 2 additions", "Reject all 2 additions", "Accept the only deletion",
        "Reject the only deletion", "Remove all 2 comments",
      ]
    )
  }

  @Test("What is done to hundreds of changes is a command, which the menu does not wait for")
  func menuOfManyChanges() throws {
    for (count, isCommand) in [(500, false), (501, true)] {
      let wire = wire("end\n" + String(repeating: "{++a++} ", count: count))
      let all = try named("Accept all \(count) changes", try actions(wire, at: "end"))
      #expect((all["edit"] == nil) == isCommand)
      #expect((all["command"]?["command"]?.string == "critic.acceptAll") == isCommand)
      guard isCommand else { continue }
      let command = try #require(all["command"])
      try wire.request("workspace/executeCommand", command.description)
      wire.takeEdits()
      #expect(wire.buffer == "end\n" + String(repeating: "a ", count: count))
    }
  }

  @Test(
    "What is done to a kind leaves the others",
    arguments: [
      ("Accept all 2 additions", "a b {--c--}{>>d<<} e\n"),
      ("Reject the only deletion", "a {++b++} c{++ e++}\n"),
    ]
  )
  func settlesKind(_ title: String, _ result: String) throws {
    let wire = wire("a {++b++} {--c--}{>>d<<}{++ e++}\n")
    wire.apply(try named(title, try actions(wire, at: "a ")))
    #expect(wire.buffer == result)
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("All are all, and one is one, however far apart they are", arguments: [plain, everything])
  func farApart(_ capabilities: String) throws {
    let gap = String(repeating: "A paragraph.\n\n", count: 5000)
    let wire = wire("a {++b++}\n\n\(gap){--c--} {++d++}\n\n\(gap){++e++}\n", capabilities)
    let here = try actions(wire, at: "b++")
    #expect(titles(here).contains("Accept all 4 changes"))
    try choose(try named("Accept all 3 additions", here), wire)
    #expect(wire.buffer == "a b\n\n\(gap){--c--} d\n\n\(gap)e\n")
    try wire.command("reject", #""change":1"#)
    wire.takeEdits()
    #expect(wire.buffer == "a b\n\n\(gap)c d\n\n\(gap)e\n")
  }

  @Test("Comments go from threads too")
  func removesComments() throws {
    let wire = wire("a {++b++}{>>c<<} {>>d<<}\n")
    wire.apply(try named("Remove all 2 comments", try actions(wire, at: "a ")))
    #expect(wire.buffer == "a {++b++} \n")
  }

  @Test(
    "The section is the innermost that holds the caret, with those below it",
    arguments: [
      ("two", "Accept 2 changes under “One”"), ("three", "Accept the only change under “Two”"),
      ("four", "Accept 2 changes under “One”"), ("six", "Accept the only change under “Three”"),
    ]
  )
  func section(_ place: String, _ title: String) throws {
    let wire = wire(
      "zero {++a++}\n# One\ntwo {++b++}\n## Two\nthree {++c++}\n\nThree\n=====\nsix {++d++}\n"
    )
    let place = place == "four" ? "One" : place
    let actions = try actions(wire, at: place, #""only":["source.critic.acceptSection"]"#)
    #expect(titles(actions) == [title])
  }

  @Test("Settling a section leaves what is outside, and what is pending in it is settled too")
  func settlesSection() throws {
    let wire = wire("{++a++}\n# One\ntwo {--b--}\n\n# Two\n{++c++}\n")
    try wire.type("x", before: "two")
    wire.apply(try named("Reject 2 changes under “One”", try actions(wire, at: "One")))
    #expect(wire.buffer == "{++a++}\n# One\ntwo b\n\n# Two\n{++c++}\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Before the first heading, and where the section has all changes, there is none to settle")
  func noSection() throws {
    let wire = wire("zero\n# One\n{++a++} {++b++}\n")
    for place in ["zero", "One", "b++"] {
      let actions = try actions(wire, at: place, #""only":["source.critic.rejectSection"]"#)
      #expect(titles(actions).isEmpty)
    }
  }

  // MARK: - Conversions and comments

  @Test("A deletion beside an addition becomes a substitution, and back")
  func conversions() throws {
    let wire = wire("The {--lazy--}{++sleepy++}{>>why<<} dog\n")
    wire.apply(try named("Join into a substitution", try actions(wire, at: "lazy")))
    #expect(wire.buffer == "The {~~lazy~>sleepy~~}{>>why<<} dog\n")
    wire.apply(try named("Split into a deletion and an addition", try actions(wire, at: "lazy")))
    #expect(wire.buffer == "The {--lazy--}{++sleepy++}{>>why<<} dog\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(!titles(try actions(wire, at: "dog")).contains { $0.hasPrefix("Join") })
  }

  @Test("A comment about something begins with what it is about, and has the caret in it")
  func category() throws {
    let wire = Wire(
      capabilities: Self.capabilities("", showing: true),
      settings: #"{"tracking":"on","author":"Ada"}"#
    )
    wire.open("a {++b++} c\n")
    let action = try named("Comment: tone", try actions(wire, at: "b++"))
    #expect(action["kind"]?.string == "refactor.rewrite.critic.comment.tone")
    wire.apply(action)
    #expect(wire.buffer == "a {++b++}{>>@Ada: [tone] <<} c\n")
    try wire.request("workspace/executeCommand", try #require(action["command"]).description)
    let shown = try #require(wire.messages.of("window/showDocument").first?["params"])
    #expect(shown["selection"]?.description == Wire.range(0, 25, 0, 25))
  }

  @Test("Without a change or a selection there is nothing for a comment to be about")
  func noCategory() throws {
    let wire = wire("ab {++c++}\n")
    #expect(!titles(try actions(wire, at: "b ")).contains("Comment: tone"))
    #expect(titles(try ask(wire, 0..<2)).contains("Comment: tone"))
  }

  @Test("In a comment one can answer, edit and remove it")
  func inComment() throws {
    let wire = wire("a {++b++}{>>@Ada: why?<<} c\n", Self.capabilities("", showing: true))
    let actions = try actions(wire, at: "why", #""only":["refactor"]"#)
    #expect(
      titles(actions).prefix(3) == ["Answer the comment", "Edit the comment", "Remove the comment"]
    )
    let edit = try #require(try named("Edit the comment", actions)["command"])
    try wire.request("workspace/executeCommand", edit.description)
    let shown = try #require(wire.messages.of("window/showDocument").first?["params"])
    let text = try wire.range(of: "why?")
    #expect(shown["selection"]?.description == text)
    wire.apply(try named("Answer the comment", actions))
    #expect(wire.buffer == "a {++b++}{>>@Ada: why?<<}{>><<} c\n")
  }

  @Test("A comment is written anew by command, and its author stays")
  func editComment() throws {
    let wire = wire("a {++b++}{>>@Ada: why?<<} c\n")
    try wire.command("editComment", #""change":1,"text":"so""#)
    wire.takeEdits()
    #expect(wire.buffer == "a {++b++}{>>@Ada: so<<} c\n")
    #expect(try wire.command("editComment", #""change":1"#).problem.contains("text"))
    let bare = #""position":{"line":0,"character":0},"text":"x""#
    #expect(try wire.command("editComment", bare).problem == "There is no comment here.")
  }

  @Test("Of alternatives one is taken, or all; by command too")
  func alternatives() throws {
    let text =
      "a {--b--}{>>@ada: [conflict]<<}{>>@bo: [conflict]<<}{++c++}{>>@ada: [conflict]<<}"
      + "{++d++}{>>@bo: [conflict]<<} e\n"
    let actions = try ask(wire(text), 5..<5)
    let titles = actions.compactMap { $0["title"]?.string }
    #expect(
      titles.prefix(3) == [
        "Take the alternative by @ada", "Take the alternative by @bo", "Take all alternatives",
      ]
    )
    for (author, result) in [("ada", "a c e\n"), ("bo", "a d e\n")] {
      let wire = wire(text)
      try wire.command("takeAlternative", #""change":3,"author":"\#(author)""#)
      wire.takeEdits()
      #expect(wire.buffer == result)
    }
    let problem = try wire(text).command("takeAlternative", #""change":3"#).problem
    #expect(problem.contains("author"))
    let other = try wire(text).command("takeAlternative", #""change":3,"author":"eva""#).problem
    #expect(other == "None of the alternatives is by @eva.")
    let bare = try wire("a {++b++}").command("takeAlternative", #""change":1,"author":"eva""#)
    #expect(bare.problem == "There are no alternatives here.")
  }

  @Test(
    "Converting, fixing and settling by kind are commands too",
    arguments: [
      ("joinSubstitution", #""change":1"#, "{~~a~>b~~} {~~c~>d~~} {--e\n"),
      ("splitSubstitution", #""change":3"#, "{--a--}{++b++} {--c--}{++d++} {--e\n"),
      (
        "fix", #""fix":"close","range":\#(Wire.range(0, 26, 0, 29))"#,
        "{--a--}{++b++} {~~c~>d~~} {--e--}\n"
      ),
      ("acceptAll", #""kind":"deletion""#, "{++b++} {~~c~>d~~} {--e\n"),
      ("rejectAll", #""kind":"substitution""#, "{--a--}{++b++} c {--e\n"),
      (
        "comment", #""change":3,"category":"accuracy","text":"no""#,
        "{--a--}{++b++} {~~c~>d~~}{>>[accuracy] no<<} {--e\n"
      ),
    ]
  )
  func commands(_ command: String, _ members: String, _ result: String) throws {
    let wire = wire("{--a--}{++b++} {~~c~>d~~} {--e\n")
    #expect(try wire.command(command, members)["result"]?.isNull == true)
    wire.takeEdits()
    #expect(wire.buffer == result)
  }

  @Test(
    "A wrong argument of these is named, with what it may be",
    arguments: [
      ("acceptAll", #""kind":"rumour""#, "kind must be \"addition\", "),
      ("fix", #""change":1"#, "fix must say"),
      ("fix", #""change":1,"fix":7"#, "fix must be \"escape\""),
      ("comment", #""change":1,"category":"fun""#, "category must be \"tone\""),
      ("joinSubstitution", "", "range"),
    ]
  )
  func wrongArguments(_ command: String, _ members: String, _ problem: String) throws {
    let answer = try wire("{++a++}\n").command(command, members)
    #expect(answer.code == -32_602)
    #expect(answer.problem.contains(problem), "\(answer.problem)")
  }

  // MARK: - What is malformed

  @Test(
    "What is malformed can be fixed where it stands",
    arguments: [
      ("a {++b\nc\n", "{++", "Close the addition", "a {++b++}\nc\n"),
      ("a {++b\n", "{++", "Write “\\{++”: it is text", "a \\{++b\n"),
      ("a b++} c\n", "++}", "Remove “++}”", "a b c\n"),
      ("a {~~b~~} c\n", "b~~", "Make it a deletion", "a {--b--} c\n"),
      ("a {~~b~~} c\n", "b~~", "Write “~>” at the end", "a {~~b~>~~} c\n"),
      ("a {~~b->d~~} c\n", "b->", "Write “~>” as the arrow", "a {~~b~>d~~} c\n"),
      ("a {\u{2014}b\u{2014}} c\n", "{", "Write hyphens", "a {--b--} c\n"),
      ("a {\u{2014}\u{2014}b\u{2013}\u{2013}} c\n", "{", "Write hyphens", "a {--b--} c\n"),
    ]
  )
  func fixes(_ text: String, _ place: String, _ title: String, _ result: String) throws {
    let wire = wire(text)
    let action = try named(title, try actions(wire, at: place, #""only":["quickfix"]"#))
    wire.apply(action)
    #expect(wire.buffer == result)
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Each quick fix names the diagnostic that it settles, and the first of them is preferred")
  func diagnostics() throws {
    let wire = wire("a {++b++} c {--d\n")
    let published = try #require(wire.messages.published.last?["diagnostics"])
    let context = #""diagnostics":\#(published)"#
    let found = try actions(wire, at: "b++", context)
    for action in found where action["kind"]?.string == "quickfix" {
      let codes = action["diagnostics"]?.elements.compactMap { $0["code"]?.string } ?? []
      let isFix =
        action["title"]?.string?.contains("deletion") == true
        || action["title"]?.string?.contains("{--") == true
      #expect(codes == [isFix ? "unclosed-mark" : "addition"], "\(action)")
    }
    // The client shows it, though the caret is elsewhere.
    #expect(titles(found).contains("Close the deletion"))
    let preferred = found.filter { $0["isPreferred"]?.bool == true }
    #expect(titles(preferred) == ["Accept addition “b”", "Write “\\{--”: it is text"])
    let echoed = try named("Close the deletion", found)["diagnostics"]?.first
    #expect(echoed?["message"]?.string == Array(published.elements).last?["message"]?.string)
  }

  @Test("Nothing that takes text away is preferred: a closer that closes nothing may be text")
  func strayCloser() throws {
    let found = try actions(wire("for (;;) { i++}\n"), at: "++}", #""only":["quickfix"]"#)
    #expect(titles(found) == ["Remove “++}”"])
    #expect(found[0]["isPreferred"] == nil)
  }

  @Test("Diagnostics of others, and those that are gone, are passed over")
  func otherDiagnostics() throws {
    let wire = wire("a {--d\n")
    let range = Wire.range(0, 0, 0, 1)
    for diagnostic in [
      #"{"range":\#(range),"code":"unclosed-mark","source":"critic"}"#,
      #"{"range":\#(range),"code":"unclosed-mark","source":"vale"}"#,
      #"{"range":\#(Wire.range(0, 2, 0, 5)),"source":"critic"}"#,
      #"{"range":\#(Wire.range(0, 2, 0, 5)),"code":7,"source":"critic"}"#, "7",
    ] {
      let found = try actions(wire, at: "a ", #""diagnostics":[\#(diagnostic)]"#)
      #expect(!found.contains { $0["kind"]?.string == "quickfix" })
    }
  }

  @Test("What was typed is fixed with its change, and marked like all typing")
  func fixesTyped() throws {
    let wire = wire("one\ntwo\n")
    try wire.type("{++new", before: "two")
    wire.apply(try named("Close the addition", try actions(wire, at: "{++")))
    #expect(wire.buffer == "one\n{++new++}two\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one\ntwo\n")
  }

  // MARK: - Who asks

  @Test("When the editor asks by itself, only what is at the caret is offered")
  func automatic() throws {
    let wire = wire("# A\na {++b++} {--c--}{++d++} e {++f\n# B\n{++g++}\n")
    let context = #""triggerKind":2"#
    #expect(
      titles(try actions(wire, at: "b++", context)) == [
        "Accept addition “b”", "Reject addition “b”", "Comment on addition “b”",
      ]
    )
    #expect(titles(try actions(wire, at: "d++", context)).contains("Join into a substitution"))
    #expect(titles(try actions(wire, at: "{++f", context)).first == "Write “\\{++”: it is text")
    #expect(titles(try actions(wire, at: "e {++f", context)).isEmpty)
    #expect(titles(try ask(wire, 0..<2, context)).isEmpty)
  }

  @Test("What cannot be done is told with its reason to those who asked, and can show it")
  func disabled() throws {
    let text = "{--a ~> b--}{++c++}\n"
    let invoked = #""triggerKind":1"#
    let wire = wire(text, Self.disabling)
    let join = try named("Join into a substitution", try actions(wire, at: "a ~", invoked))
    #expect(join["disabled"]?["reason"]?.string?.hasSuffix(".") == true)
    #expect(join["edit"] == nil && join["command"] == nil && join["data"] == nil)
    for (capabilities, context) in [
      (Self.disabling, ""), (Self.disabling, #""triggerKind":2"#), (Self.plain, invoked),
    ] {
      let found = try actions(self.wire(text, capabilities), at: "a ~", context)
      #expect(!titles(found).contains("Join into a substitution"))
    }
  }

  @Test(
    "Who asks for one kind hears why there is none",
    arguments: [
      ("refactor.rewrite.critic.highlight", "Select the text to highlight first."),
      ("refactor.rewrite.critic.removeComment", "There is no comment here."),
      ("refactor.rewrite.critic.resolveComment", "There is no comment here."),
      ("refactor.rewrite.critic.joinSubstitution", "There is no deletion beside an addition here."),
      ("refactor.rewrite.critic.splitSubstitution", "There is no substitution here."),
      ("source.critic.acceptAll", "There are no changes in this document."),
    ]
  )
  func asked(_ kind: String, _ reason: String) throws {
    let context = #""triggerKind":1,"only":["\#(kind)"]"#
    let found = try actions(wire("one\n", Self.everything), at: "one", context)
    #expect(found.map { $0["kind"]?.string } == [kind])
    #expect(found.first?["disabled"]?["reason"]?.string == reason)
    #expect(try actions(wire("one\n"), at: "one", context).isEmpty)
  }

  // MARK: - Resolving

  @Test("Where the client resolves, what is not at the caret comes without its edits")
  func deferred() throws {
    let wire = wire("a {++b++} {++c++} {--d--} e\n", Self.everything)
    let found = try actions(wire, at: "b++", #""triggerKind":1"#)
    let later = found.filter { $0["data"] != nil }
    #expect(
      Set(titles(later)).isSuperset(of: [
        "Accept all 3 changes", "Accept all 2 additions", "Comment: tone",
      ])
    )
    for action in later { #expect(action["edit"] == nil && action["command"] == nil) }
    #expect(try named("Accept addition “b”", found)["edit"] != nil)
    let automatic = try actions(wire, at: "b++", #""triggerKind":2"#)
    #expect(automatic.allSatisfy { $0["data"] != nil && $0["edit"] == nil })
  }

  @Test(
    "An action that is resolved does what its title says, and that is settled",
    arguments: [
      ("Accept addition “b”", "a b {++c++} {--d--} e\n"),
      ("Comment on addition “b”", "a {++b++}{>><<} {++c++} {--d--} e\n"),
    ]
  )
  func resolvedHere(_ title: String, _ result: String) throws {
    let wire = wire("a {++b++} {++c++} {--d--} e\n", Self.resolving)
    let action = try named(title, try actions(wire, at: "b++", #""triggerKind":2"#))
    let resolved = try choose(action, wire)
    #expect(wire.buffer == result)
    #expect(wire.wait(60_000).edits.isEmpty)
    for (name, value) in action.members {
      #expect(resolved[name]?.description == value.description)
    }
  }

  @Test(
    "So do those for the document",
    arguments: [
      ("Reject all 2 additions", "a   {--d--} e\n"), ("Accept all 3 changes", "a b c  e\n"),
      ("Comment: clarity", "a {++b++}{>>[clarity] <<} {++c++} {--d--} e\n"),
    ]
  )
  func resolvedEverywhere(_ title: String, _ result: String) throws {
    let wire = wire("a {++b++} {++c++} {--d--} e\n", Self.everything)
    let resolved = try choose(try named(title, try actions(wire, at: "b++")), wire)
    #expect(wire.buffer == result)
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect((resolved["command"] != nil) == title.hasPrefix("Comment"))
  }

  @Test("What is pending is put into marks by what is resolved, too")
  func resolvedPending() throws {
    let wire = wire("one {++two++} three\n", Self.resolving)
    try wire.type("x", before: "one")
    try choose(
      try named("Reject addition “two”", try actions(wire, at: "wo++", #""triggerKind":2"#)),
      wire
    )
    #expect(wire.buffer == "{++x++}one  three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Accepting what undo would take back as well is resolved to a command")
  func resolvedAmbiguous() throws {
    let wire = wire("one two\n", Self.resolving)
    try wire.type("x", before: "two")
    try wire.pause()
    for (place, title) in [("x++", "Accept addition “x”"), ("one", "Accept the only change")] {
      let action = try named(
        title,
        try actions(wire, at: place, #""triggerKind":\#(place == "one" ? 1 : 2)"#)
      )
      let resolved = try #require(
        try wire.request("codeAction/resolve", action.description)["result"]
      )
      #expect(resolved["edit"] == nil)
      let command = try #require(resolved["command"])
      #expect(command["command"]?.string?.hasPrefix("critic.accept") == true)
      guard place == "one" else { continue }
      try wire.request("workspace/executeCommand", command.description)
      wire.takeEdits()
      #expect(wire.buffer == "one xtwo\n")
      #expect(
        try wire.command("export", #""variant":"original""#)["result"]?.string == "one xtwo\n"
      )
    }
  }

  @Test("A client that resolves edits alone gets at once what may come to be a command")
  func resolvesEditsAlone() throws {
    let wire = wire("a {++b++} {++c++} {--d--} e\n", Self.resolvingEdits)
    let found = try actions(wire, at: "b++", #""triggerKind":2"#)
    for action in found where action["data"] == nil {
      #expect(action["edit"] != nil || action["command"] != nil)
    }
    #expect(try named("Accept addition “b”", found)["edit"] != nil)
    #expect(try named("Comment on addition “b”", found)["command"] != nil)
  }

  @Test("What has its edits, or is a command, comes back as it is")
  func resolvedAlready() throws {
    let wire = wire("a {++b++} e\n", Self.resolving)
    let toggle = try named("Stop tracking changes", try actions(wire, at: "a "))
    #expect(toggle["data"] == nil)
    let answer = try wire.request("codeAction/resolve", toggle.description)
    #expect(answer["result"]?.description == toggle.description)
    let own = #"{"title":"x","edit":{},"data":7}"#
    #expect(try wire.request("codeAction/resolve", own)["result"]?.description == own)
  }

  @Test("An action for a text that is gone, or that cannot be done any more, is refused in words")
  func refused() throws {
    let wire = wire("a {++b++} e\n", Self.resolving)
    let action = try named("Accept addition “b”", try actions(wire, at: "b++", #""triggerKind":2"#))
    try wire.type("x", before: " e")
    let answer = try wire.request("codeAction/resolve", action.description)
    #expect(answer.code == -32_801)
    #expect(answer.problem.hasSuffix("."))
    for data in [
      "7", #"{"uri":"file:///y.md"}"#, #"{"uri":"\#(wire.uri)","version":\#(wire.version)}"#,
      #"{"uri":"\#(wire.uri)","version":\#(wire.version),"command":"critic.mark"}"#,
      #"{"uri":"\#(wire.uri)","version":\#(wire.version),"command":"critic.accept"}"#,
    ] {
      let params = #"{"title":"x","data":\#(data)}"#
      #expect(try wire.request("codeAction/resolve", params).code == -32_602)
    }
    let nothing =
      #"{"title":"x","data":{"uri":"\#(wire.uri)","version":\#(wire.version),"#
      + #""command":"critic.highlight","range":\#(Wire.range(0, 0, 0, 0))}}"#
    #expect(try wire.request("codeAction/resolve", nothing).code == -32_803)
  }

  @Test("The end of the document is in the last section")
  func lastSection() throws {
    let wire = wire("# One\n{++a++}\n# Two\n{++b++} {++c++} two")
    let end = wire.range(wire.text.count..<wire.text.count)
    let answer = try wire.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(end),"#
        + #""context":{"diagnostics":[],"only":["source.critic.acceptSection"]}}"#
    )
    let titles = answer["result"]?.elements.compactMap { $0["title"]?.string }
    #expect(titles == ["Accept 2 changes under “Two”"])
  }
}
