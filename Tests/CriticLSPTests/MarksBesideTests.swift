import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Marks beside the text, in the server", .timeLimited) struct MarksBesideTests {
  private static let record =
    "The {++quick ++}brown fox {--suddenly --}jumps over the {~~very~>lazy~~} dog.{>>@jo: fine?<<}\n"
  private static let text = "The quick brown fox jumps over the lazy dog.\n"

  private func open(
    _ text: String = MarksBesideTests.text,
    record: String? = MarksBesideTests.record,
    manner: SimulatedClient.Manner = .neovim,
    options: String = #"{"tracking":"auto","idleDelay":60}"#
  ) throws -> SimulatedClient {
    let path = "/home/writer/draft.md"
    let disk = Disk([path: text])
    if let record { disk.write(path + ".critic", record) }
    return try SimulatedClient(text, manner: manner, options: options, disk: disk)
  }

  @Test("A document with a record beside it has the marks there, whatever the setting says")
  func opens() throws {
    let client = try open()
    let status = try client.command("status")
    #expect(status["marks"]?.string == "beside")
    #expect(status["tracking"]?.bool == true)
    #expect(status["changes"]?.integer == 3)
    #expect(client.buffer == Self.text)
  }

  @Test("What is typed is recorded at once, and nothing is sent to the editor")
  func types() throws {
    let client = try open()
    client.type("very ", before: "brown")
    client.replace("dog", with: "cat")
    client.pause()
    #expect(client.buffer == "The quick very brown fox jumps over the lazy cat.\n")
    client.save()
    #expect(
      client.record
        == "The {++quick very ++}brown fox {--suddenly --}jumps over the {~~very~>lazy~~} "
        + "{~~dog~>cat~~}.{>>@jo: fine?<<}\n"
    )
  }

  @Test("The record of a file without a last line break has none, though the client counts one")
  func countedLineBreak() throws {
    let disk = Disk(["/draft.md": "One two.", "/draft.md.critic": "One {++two++}."])
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto"}"#)
    wire.open("One two.")
    wire.work(on: disk)
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 1)
    for (end, record) in [("", "One {++not two++}."), ("\n", "One {++not not two++}.\n")] {
      try wire.type("not ", before: "two")
      wire.notify(
        "textDocument/didSave",
        #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(wire.buffer + end))}"#
      )
      wire.work(on: disk)
      #expect(disk.files["/draft.md.critic"] == record)
    }
  }

  @Test("Accepting changes the record alone, and writes it while the text is as it was saved")
  func accepts() throws {
    let client = try open()
    try client.command("accept", #""range":\#(Wire.range(0, 5, 0, 5))"#)
    client.pause()
    #expect(client.buffer == Self.text)
    #expect(client.record?.hasPrefix("The quick brown fox {--suddenly --}jumps") == true)
  }

  @Test(
    "Rejecting edits the text, and the record follows; undo in the editor takes that back",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func rejects(_ manner: SimulatedClient.Manner) throws {
    let client = try open(manner: manner)
    let before = client.text
    try client.command("reject", #""range":\#(Wire.range(0, 20, 0, 20))"#)
    client.pause()
    #expect(client.buffer == "The quick brown fox suddenly jumps over the lazy dog.\n")
    client.save()
    #expect(client.record == Self.record.replacing("{--suddenly --}", with: "suddenly "))
    client.travel(to: before)
    client.save()
    #expect(client.record == Self.record)
  }

  @Test("What is typed before a rejection has come stays")
  func overtakes() throws {
    let client = try open(manner: .helix)
    try client.command("rejectAll")
    client.type("Now: ", before: "The")
    client.pause()
    try client.command("rejectAll")
    client.pause()
    client.save()
    #expect(client.buffer == "The brown fox suddenly jumps over the very dog.\n")
    #expect(client.record == client.buffer.replacing("\n", with: "{>>@jo: fine?<<}\n"))
  }

  @Test(
    "A mark that is typed while tracking is off is text in the editor and in the record",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func typesMarkWhileOff(_ manner: SimulatedClient.Manner) throws {
    let client = try open(manner: manner)
    let before = client.text
    try client.command("toggleTracking", #""on":false"#)
    client.type("{++x++} ", before: "quick")
    client.pause()
    let text = "The {++x++} quick brown fox jumps over the lazy dog.\n"
    #expect(client.buffer == text)
    #expect(try client.command("export", #""variant":"clean""#).string == text)
    client.save()
    let rest = Self.record[try #require(Self.record.firstRange(of: " fox")).lowerBound...]
    #expect(client.record?.hasSuffix(rest) == true)
    // While tracking is off what is typed is original text; the brace that makes a mark of it cannot be.
    #expect(
      try client.command("export", #""variant":"original""#).string
        == "The {++x++brown fox suddenly jumps over the very dog.\n"
    )
    client.travel(to: before)
    client.save()
    #expect(client.record == Self.record)
  }

  @Test("What is done by hand after a rejection, letter by letter, is the writer's")
  func rejectsThenDeletes() throws {
    let client = try open(
      options: #"{"tracking":"auto","idleDelay":60,"author":"bo","attribution":"author"}"#
    )
    try client.command("reject", #""range":\#(Wire.range(0, 20, 0, 20))"#)
    client.pause()
    #expect(client.buffer == "The quick brown fox suddenly jumps over the lazy dog.\n")
    for length in (0..<9).reversed() {
      let letters = "suddenly ".prefix(length + 1)
      client.replace("\(letters)jumps", with: "\(letters.dropLast())jumps")
    }
    client.save()
    #expect(client.buffer == Self.text)
    #expect(client.record?.contains("{--suddenly --}{>>@bo<<}jumps") == true)
  }

  @Test("A comment is put into the record, and one without a text is refused")
  func comments() throws {
    let client = try open()
    let range = Wire.range(0, 4, 0, 9)
    try client.command("comment", #""range":\#(range),"text":"why?""#)
    #expect(client.record?.contains("{++quick ++}{>>why?<<}brown") == true)
    #expect(throws: ResponseError.self) { try client.command("comment", #""range":\#(range)"#) }
  }

  @Test("What was changed while nobody looked is recorded when the document is opened")
  func meanwhile() throws {
    let client = try open("The quick brown fox jumps over the lazy cat.\n")
    client.save()
    #expect(client.record == Self.record.replacing(" dog.", with: " {~~dog~>cat~~}."))
  }

  @Test("With tracking off what is typed is no change, beside the marks that are there")
  func off() throws {
    let client = try open(options: #"{"tracking":"off"}"#)
    #expect(try client.command("status")["tracking"]?.bool == false)
    client.type("red ", before: "fox")
    client.save()
    client.pause()
    #expect(client.record == Self.record.replacing("fox", with: "red fox"))
  }

  @Test(
    "What is typed before the record is read is recorded as tracking says",
    arguments: ["off", "auto"]
  )
  func typedAtOnce(_ tracking: String) throws {
    let disk = Disk(["/draft.md": Self.text, "/draft.md.critic": Self.record])
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"\#(tracking)"}"#)
    wire.open(Self.text)
    try wire.type("red ", before: "fox")
    wire.work(on: disk)
    let status = try wire.command("status")["result"]
    #expect(status?["tracking"]?.bool == (tracking == "auto"))
    tellSaved(wire)
    wire.work(on: disk)
    let red = tracking == "auto" ? "{++red ++}" : "red "
    #expect(
      disk.files["/draft.md.critic"] == Self.record.replacing("fox", with: "\(red)fox")
    )
  }

  @Test(
    "What is typed into a text without a record before it is known that there is none is recorded as tracking says",
    arguments: ["off", "auto"]
  )
  func typedAtOnceWithoutRecord(_ tracking: String) throws {
    let disk = Disk(["/draft.md": Self.text])
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"\#(tracking)","marks":"beside"}"#)
    wire.open(Self.text)
    try wire.type("red ", before: "fox")
    wire.work(on: disk)
    #expect(try wire.command("status")["result"]?["tracking"]?.bool == (tracking == "auto"))
    tellSaved(wire)
    wire.work(on: disk)
    #expect(
      disk.files["/draft.md.critic"]
        == (tracking == "auto" ? Self.text.replacing("fox", with: "{++red ++}fox") : nil)
    )
  }

  private func tellSaved(_ wire: Wire) {
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(wire.buffer))}"#
    )
  }

  @Test("A record of another text is left alone, and the document is not tracked")
  func foreign() throws {
    let client = try open("Something else.\n", record: "0123456789 0123456789 0123456789\n")
    client.type("x", before: "Some")
    client.save()
    client.pause()
    #expect(client.record == "0123456789 0123456789 0123456789\n")
    #expect(client.buffer == "xSomething else.\n")
    #expect(try client.command("status")["tracking"]?.bool == false)
  }

  @Test("With the setting, a text without marks gets a record when its first change is saved")
  func begins() throws {
    let options = #"{"tracking":"on","marks":"beside","idleDelay":60}"#
    let client = try open("One two.\n", record: nil, options: options)
    client.save()
    #expect(client.record == nil)
    client.type("and ", before: "two")
    client.pause()
    #expect(client.buffer == "One and two.\n")
    client.save()
    #expect(client.record == "One {++and ++}two.\n")
  }

  @Test("An editor that adds the last line break as it writes gets a record of what it wrote")
  func lastLine() throws {
    let client = try open()
    client.change(client.text.count..<client.text.count, "She counted.")
    client.save(adding: "\n")
    #expect(client.record == Self.record + "{++She counted.\n++}")
  }

  @Test("What was typed before the first save is recorded when the server was stopped")
  func stopped() throws {
    let options = #"{"tracking":"on","marks":"beside","idleDelay":60}"#
    let client = try open("One two.\n", record: nil, options: options)
    client.type("and ", before: "two")
    client.pause()
    let next = try SimulatedClient(client.buffer, options: options, disk: client.disk)
    next.type("then ", before: "two")
    next.save()
    #expect(next.record == "One {++and then ++}two.\n")
    let last = try SimulatedClient(next.buffer, options: options, disk: client.disk)
    last.save()
    #expect(last.record == "One {++and then ++}two.\n")
  }

  @Test("With the setting, a text that has marks keeps them")
  func keepsMarks() throws {
    let options = #"{"tracking":"on","marks":"beside","idleDelay":60}"#
    let client = try open("One {++and ++}two.\n", record: nil, options: options)
    #expect(try client.command("status")["marks"]?.string == "inline")
  }

  @Test("A record that another program has changed is not overwritten")
  func raced() throws {
    let client = try open()
    client.disk?.write("/home/writer/draft.md.critic", "other\n")
    client.type("x", before: "The")
    client.save()
    client.save()
    #expect(client.record == "other\n")
    #expect(client.shown.contains { $0.contains("record not written") })
  }

  @Test("What is deleted is hinted at where it was, and listed at the letter after it")
  func shows() throws {
    let client = try open()
    let params = #"{"textDocument":{"uri":"\#(client.uri)"},"range":\#(Wire.range(0, 0, 1, 0))}"#
    let hints = Array(try client.request("textDocument/inlayHint", params).elements)
    #expect(hints.map { $0["label"]?.string } == ["{--suddenly --}", "{--very--}", "jo"])
    #expect(hints.first?["position"]?["character"]?.integer == 20)
    let listed = Array(try client.command("changes").elements)
    #expect(listed[1]["range"]?["start"]?["character"]?.integer == 20)
    #expect(listed[1]["range"]?["end"]?["character"]?.integer == 21)
  }

  @Test("What only looks like a mark is text there, and is not called malformed")
  func looksLikeMarks() throws {
    let client = try open()
    client.type("{-- or <<}, ", before: "fox")
    client.pause()
    let text = Array(client.buffer.utf8)
    let place = try #require(text.firstIndex(of: UInt8(ascii: "{")))
    let published = try #require(client.diagnostics?["diagnostics"])
    let codes = published.elements.compactMap { $0["code"]?.string }
    #expect(codes == ["addition", "addition", "deletion", "substitution", "comment"])
    let titles = try client.codeActions(place..<place + 3).compactMap { $0["title"]?.string }
    #expect(!titles.isEmpty)
    #expect(titles.allSatisfy { !$0.hasPrefix("Close the ") && !$0.hasSuffix("it is text") })
  }

  @Test(
    "Both promises hold in random sessions, in every manner of a client",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func sessions(_ manner: SimulatedClient.Manner) {
    forAll(
      runs(150),
      length: 16,
      step: { BesideStep.random(&$0) },
      law: { _, steps in
        do {
          var session = BesideSession(try open(manner: manner))
          for step in steps {
            if let broken = try session.perform(step) { return broken }
          }
          return nil
        } catch {
          return "\(error)"
        }
      }
    )
  }
}

extension SimulatedClient {
  /// What lies beside the document.
  fileprivate var record: String? { disk?.files["/home/writer/draft.md.critic"] }
}

/// Something that a writer does whose text has its marks beside it.
private enum BesideStep: CustomStringConvertible {
  case replace(Double, Int, String)
  case undo
  case decide(String, Double)
  case pause
  case save

  var description: String {
    switch self {
    case .replace(let at, let count, let new): ".replace(\(at), \(count), \(new.debugDescription))"
    case .undo: ".undo"
    case .decide(let command, let at): ".decide(\(command.debugDescription), \(at))"
    case .pause: ".pause"
    case .save: ".save"
    }
  }

  static func random(_ random: inout Seeded) -> BesideStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    let words = ["", "x", "two ", "\n", "{++", "--}", "`", "é", "~>", "{>>"]
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4:
      let word = words.randomElement(using: &random) ?? ""
      return .replace(at, Int.random(in: 0...6, using: &random), word)
    case 5: return .undo
    case 6: return .decide("accept", at)
    case 7: return .decide("reject", at)
    case 8: return .decide(["acceptAll", "rejectAll"].randomElement(using: &random) ?? "", at)
    case 9: return .save
    default: return .pause
    }
  }
}

/// A session of such a writer, and what the promises say of it.
private struct BesideSession {
  private let client: SimulatedClient
  private var texts: [Text] = []
  private var original: [UInt8]

  init(_ client: SimulatedClient) {
    self.client = client
    original = []
    original = variant(.original)
  }

  private var projection: Projection? {
    let document = client.server.documents[DocumentKey(uri: client.uri)]
    return (document?.content as? ProjectedText)?.projection
  }

  private func variant(_ variant: Variant) -> [UInt8] {
    let bytes = projection?.record.bytes ?? []
    return Reading(of: bytes).text(variant, of: bytes)
  }

  /// Does a step; returns what is broken.
  mutating func perform(_ step: BesideStep) throws -> String? {
    switch step {
    case .replace(let at, let count, let new):
      texts.append(client.text)
      let range = client.text.characters(at: at, count)
      client.change(range, new)
    case .undo:
      guard let last = texts.popLast() else { return nil }
      client.travel(to: last)
      // A text from before a decision has the original of then.
      original = variant(.original)
    case .decide(let command, let at):
      let changes = Array(try client.command("changes").elements)
      guard !changes.isEmpty else { return nil }
      let number = 1 + Int(at * Double(changes.count - 1))
      let isAll = command.hasSuffix("All")
      let before = client.text
      _ = try? client.command(command, isAll ? "" : #""change":\#(number)"#)
      client.pause()
      if command.hasPrefix("accept"), client.text != before { return told("accepting edits") }
      if command == "rejectAll", client.text.bytes != original { return told("not the original") }
      if command.hasPrefix("reject"), variant(.original) != original { return told("rejected") }
      original = variant(.original)
      texts = []
    case .pause: client.pause()
    case .save: client.save()
    }
    if variant(.clean) != client.text.bytes { return told("the clean text") }
    if variant(.original) != original { return told("the original") }
    if case .save = step, let record = client.record, record != text(of: projection) {
      return told("what is written")
    }
    return projection?.checkInvariants().map(told)
  }

  private func text(of projection: Projection?) -> String? {
    projection.map { String(decoding: $0.record.bytes, as: UTF8.self) }
  }

  private func told(_ what: String) -> String {
    "\(what): \(text(of: projection) ?? "")\n\(client.log.joined(separator: "\n"))"
  }
}

extension Text {
  /// Some characters, about at a fraction of the text.
  fileprivate func characters(at fraction: Double, _ count: Int) -> Range<Int> {
    let text = String(decoding: bytes, as: UTF8.self)
    let starts =
      text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) } + [self.count]
    let first = Int(fraction * Double(starts.count - 1))
    return starts[first]..<starts[min(first + count, starts.count - 1)]
  }
}
