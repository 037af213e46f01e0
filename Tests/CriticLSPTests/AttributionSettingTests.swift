import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Changes that are signed", .timeLimited) struct AttributionSettingTests {
  private func wire(_ settings: String, _ text: String) -> Wire {
    let wire = Wire(settings: #"{"tracking":"on",\#(settings)}"#)
    _ = wire.handle(.day("2026-11-26"))
    wire.open(text)
    return wire
  }

  /// Answers what the server wants until it asks for a name.
  private func name(_ wire: Wire, _ name: String?) throws {
    while let effect = wire.server.effect {
      switch effect {
      case .nameWriter:
        try wire.outcome(.name(name))
        return
      case .recall: try wire.outcome(.found(nil))
      default: try wire.outcome(.gone)
      }
    }
    Issue.record("no name was asked for")
  }

  @Test(
    "What is marked says who made it, and when",
    arguments: [
      (#""author":"anna""#, "one {++x++}two\n"),
      (#""author":"anna","attribution":"none""#, "one {++x++}two\n"),
      (#""author":"anna","attribution":"author""#, "one {++x++}{>>@anna<<}two\n"),
      (
        #""author":"Anna B.","attribution":"author+date""#,
        "one {++x++}{>>@Anna_B | 2026-11-26<<}two\n"
      ), (#""author":"{|}","attribution":"author""#, "one {++x++}two\n"),
    ]
  )
  func marked(_ settings: String, _ text: String) throws {
    let wire = wire(settings, "one two\n")
    try wire.type("x", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == text)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one two\n")
    #expect(try wire.command("export")["result"]?.string == "one xtwo\n")
  }

  @Test("A name that is not set is asked for once, and new comments have it too")
  func asked() throws {
    let wire = wire(#""attribution":"author""#, "one two\n")
    try name(wire, "Zoë")
    try wire.type("x", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == "one {++x++}{>>@Zoë<<}two\n")
    try wire.run("comment", #""change":1,"text":"why""#)
    #expect(wire.buffer == "one {++x++}{>>@Zoë<<}{>>@Zoë: why<<}two\n")
    wire.open("a\n", uri: "file:///other.md")
    while let effect = wire.server.effect {
      if case .nameWriter = effect { Issue.record("asked again") }
      try wire.outcome(.gone)
    }
  }

  @Test("Where nobody is named, changes are not signed")
  func nobody() throws {
    let wire = wire(#""attribution":"author""#, "one two\n")
    try name(wire, nil)
    try wire.type("x", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == "one {++x++}two\n")
  }

  @Test(
    "Front matter counts more than the setting",
    arguments: [
      ("none", "author", "{>>@anna<<}"), ("none", "author+date", "{>>@anna | 2026-11-26<<}"),
      ("author+date", "author", "{>>@anna<<}"), ("author", "none", ""),
    ]
  )
  func frontMatter(_ setting: String, _ said: String, _ attribution: String) throws {
    let front = "---\ncriticmark: {tracking: true, attribution: \(said)}\n---\n"
    let wire = wire(#""author":"anna","attribution":"\#(setting)""#, front + "one two\n")
    try wire.type("x", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == front + "one {++x++}\(attribution)two\n")
  }

  @Test("From midnight on it is the next day, and what is typed on has that")
  func midnight() throws {
    let wire = wire(#""author":"anna","attribution":"author+date""#, "one two\n")
    try wire.type("x", before: "two")
    wire.takeEdits()
    _ = wire.handle(.day("2026-11-27"))
    #expect(wire.wait(60_000).edits.isEmpty)
    try wire.type("y", before: "one")
    wire.takeEdits()
    #expect(
      wire.buffer
        == "{++y++}{>>@anna | 2026-11-27<<}one {++x++}{>>@anna | 2026-11-26<<}two\n"
    )
  }

  @Test("With the setting changed, what is typed from then on is signed")
  func changed() throws {
    let wire = wire(#""author":"anna""#, "one two\n")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"attribution":"author"}}}"#
    )
    try wire.type("x", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == "one {++x++}{>>@anna<<}two\n")
  }

  // MARK: - Names

  @Test(
    "The name is that of the repository around the folder, with what its files include",
    .enabled(if: Shell.has("git"))
  )
  func repository() throws {
    let folder = try Folder()
    try folder.write("a/b/c/draft.md", "")
    #expect(try Shell.run("git init -q a", in: folder).code == 0)
    let deep = folder.file("a/b/c")
    let config = try folder.text("a/.git/config")
    try folder.write("a/.git/config", config + "[user]\nname = \"anna # b\"\n")
    #expect(WriterName.find(in: deep) == "anna # b")
    try folder.write(
      "a/.git/config",
      config + "[user]\nname = anna\n[include]\npath = more\n"
        + "[includeIf \"gitdir:**/z/.git\"]\npath = no\n"
    )
    try folder.write("a/.git/more", "[user]\nname = bo\n")
    try folder.write("a/.git/no", "[user]\nname = no\n")
    #expect(WriterName.find(in: deep) == "bo")
    let commit = "git -c user.email=a@b commit -q --allow-empty -m a && git worktree add -q ../w"
    #expect(try Shell.run("cd a && \(commit)", in: folder).code == 0)
    #expect(WriterName.find(in: folder.file("w")) == "bo")
  }
}
