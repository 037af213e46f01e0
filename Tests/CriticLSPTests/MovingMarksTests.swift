import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Marks of an open document moved out of its text and into it", .timeLimited)
struct MovingMarksTests {
  private static let marked =
    "The {++quick ++}brown fox {--suddenly --}jumps over the {~~very~>lazy~~} dog.{>>@jo: fine?<<}\n"
  private static let clean = "The quick brown fox jumps over the lazy dog.\n"
  private static let path = "/home/writer/draft.md"
  private static let record = path + ".critic"

  private func open(
    _ text: String = MovingMarksTests.marked,
    file: String? = MovingMarksTests.marked,
    record: String? = nil,
    manner: SimulatedClient.Manner = .neovim,
    options: String = #"{"tracking":"auto","marking":"idle","idleDelay":60}"#
  ) throws -> SimulatedClient {
    let disk = Disk(file.map { [Self.path: $0] } ?? [:])
    if let record { disk.write(Self.record, record) }
    return try SimulatedClient(text, manner: manner, options: options, disk: disk)
  }

  private func move(_ client: SimulatedClient, to place: String) throws {
    try client.command("marks", #""marks":"\#(place)""#)
    client.pause()
  }

  private func place(_ client: SimulatedClient) throws -> String? {
    try client.command("status")["marks"]?.string
  }

  @Test(
    "The marks go beside the text, which one undo takes back",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func beside(_ manner: SimulatedClient.Manner) throws {
    let client = try open(manner: manner)
    let before = client.text
    try move(client, to: "beside")
    #expect(client.buffer == Self.clean)
    #expect(try place(client) == "beside")
    #expect(client.disk?.files[Self.record] == Self.marked)
    client.type("very ", before: "brown")
    let typed = client.text
    client.travel(to: Text(Array(Self.clean.utf8)))
    client.travel(to: before)
    client.pause()
    #expect(client.buffer == Self.marked)
    #expect(try place(client) == "inline")
    #expect(client.disk?.files[Self.record] == nil)
    client.travel(to: Text(Array(Self.clean.utf8)))
    client.travel(to: typed)
    client.pause()
    #expect(try place(client) == "beside")
    client.save()
    #expect(client.disk?.files[Self.record]?.contains("{++quick very ++}brown") == true)
  }

  @Test(
    "They go back into the text, and the record is removed when that is saved",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func inline(_ manner: SimulatedClient.Manner) throws {
    let client = try open(Self.clean, file: Self.clean, record: Self.marked, manner: manner)
    let before = client.text
    try move(client, to: "inline")
    #expect(client.buffer == Self.marked)
    #expect(try place(client) == "inline")
    #expect(client.disk?.files[Self.record] == Self.marked)
    client.type("very ", before: "brown")
    client.pause()
    #expect(client.buffer.contains("{++quick very ++}brown"))
    client.save()
    #expect(client.disk?.files[Self.record] == nil)
    client.travel(to: Text(Array(Self.marked.utf8)))
    client.travel(to: before)
    client.pause()
    #expect(try place(client) == "beside")
    client.save()
    #expect(client.disk?.files[Self.record] == Self.marked)
  }

  @Test(
    "Undo and redo lead over every move",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func severalMoves(_ manner: SimulatedClient.Manner) throws {
    let client = try open(manner: manner)
    var texts = [client.text]
    var places = ["inline"]
    func note(_ place: String) {
      texts.append(client.text)
      places.append(place)
    }
    try move(client, to: "beside")
    note("beside")
    client.type("very ", before: "brown")
    client.pause()
    note("beside")
    try move(client, to: "inline")
    note("inline")
    try move(client, to: "beside")
    note("beside")
    let order = Array(texts.indices)
    for index in order.dropLast().reversed() + order.dropFirst() {
      client.travel(to: texts[index])
      client.pause()
      #expect(client.text.hash == texts[index].hash)
      #expect(try place(client) == places[index])
    }
    client.travel(to: texts[0])
    client.save()
    #expect(client.disk?.files[Self.path] == Self.marked)
  }

  @Test("An accepted change leaves the marks where they are, though the text is that of a move")
  func acceptedAfterMove() throws {
    let record = Self.marked.replacing("{>>@jo: fine?<<}", with: "")
    let client = try open(Self.clean, file: Self.clean, record: record)
    try move(client, to: "inline")
    #expect(client.buffer == record)
    try client.command("acceptAll")
    client.pause()
    #expect(client.buffer == Self.clean)
    #expect(try place(client) == "inline")
  }

  @Test("What is not in marks yet goes beside the text, too")
  func pending() throws {
    let client = try open()
    client.type("now ", before: "jumps")
    try move(client, to: "beside")
    #expect(client.buffer == "The quick brown fox now jumps over the lazy dog.\n")
    client.save()
    let expected = Self.marked.replacing("{--suddenly --}jumps", with: "{~~suddenly ~>now ~~}jumps")
    #expect(client.disk?.files[Self.record] == expected)
  }

  @Test("What is typed while the marks are moved stays", arguments: ["beside", "inline"])
  func overtaken(_ target: String) throws {
    let isInline = target == "inline"
    let client = try open(
      isInline ? Self.clean : Self.marked,
      file: isInline ? Self.clean : Self.marked,
      record: isInline ? Self.marked : nil,
      manner: .helix
    )
    try client.command("marks", #""marks":"\#(target)""#)
    client.type("Now: ", before: "The")
    client.pause()
    try move(client, to: target)
    #expect(client.buffer.hasPrefix(isInline ? "{++Now: ++}The {++" : "Now: The quick"))
    client.save()
    let kept = isInline ? client.buffer : client.disk?.files[Self.record]
    #expect(kept == "{++Now: ++}" + Self.marked)
  }

  @Test("A record of a text that has its marks in it was left when they were moved, and is removed")
  func stopped() throws {
    let client = try open("x " + Self.marked, file: "x " + Self.marked, record: "x " + Self.marked)
    #expect(try place(client) == "inline")
    client.save()
    #expect(client.disk?.files[Self.record] == nil)
  }

  @Test("They stay where they are if another record lies beside the text, or it cannot be edited")
  func refused() throws {
    let client = try open(record: "other\n")
    #expect(throws: ResponseError.self) { try client.command("marks", #""marks":"beside""#) }
    client.pause()
    #expect(client.buffer == Self.marked)
    #expect(client.disk?.files[Self.record] == "other\n")
    client.save()
    #expect(client.disk?.files[Self.record] == "other\n")
  }

  @Test("Undo of a decision after the marks were moved into the text leads to no other way")
  func decided() throws {
    let client = try open(Self.clean, file: Self.clean, record: Self.marked)
    try move(client, to: "inline")
    try client.command("removeAnnotations")
    client.pause()
    try client.command("acceptAll")
    client.pause()
    #expect(client.buffer == Self.clean)
    client.type("x", before: "The")
    client.travel(to: Text(Array(Self.clean.utf8)))
    client.pause()
    #expect(try place(client) == "inline")
  }

  // MARK: - In the file alone

  private func hide(
    _ text: String = MovingMarksTests.clean,
    file: String? = MovingMarksTests.marked,
    tracking: String = "auto"
  ) throws -> SimulatedClient {
    let options = #"{"tracking":"\#(tracking)","marks":"file"}"#
    let client = try open(text, file: file, options: options)
    let answer = try client.command("marks", #""marks":"file""#)
    #expect(answer["marks"]?.string == "file")
    return client
  }

  @Test("A text shown without the marks of its file is written with them")
  func file() throws {
    let client = try hide()
    #expect(try client.command("status")["changes"]?.integer == 3)
    client.replace("dog", with: "cat")
    #expect(try client.command("write").isNull)
    client.save()
    client.pause()
    #expect(client.buffer == Self.clean.replacing("dog", with: "cat"))
    #expect(
      client.disk?.files[Self.path] == Self.marked.replacing(" dog.", with: " {~~dog~>cat~~}.")
    )
    #expect(client.disk?.files[Self.record] == nil)
    try client.command("accept", #""range":\#(Wire.range(0, 5, 0, 5))"#)
    #expect(client.disk?.files[Self.path]?.hasPrefix("The quick brown fox {--") == true)
  }

  @Test("What looks like a mark in a clean text is none")
  func lookalike() throws {
    var projection = Projection(
      record: Text(Array("Type .\n".utf8)),
      options: Tracker.Options(.markdown)
    )
    projection.change(Edit(5..<5, Array("{++x++}".utf8)))
    let file = String(decoding: projection.record.bytes, as: UTF8.self)
    let client = try hide("Type {++x++}.\n", file: file)
    #expect(client.buffer == "Type {++x++}.\n")
    try client.command("rejectAll")
    client.pause()
    #expect(client.buffer == "Type .\n")
  }

  @Test("What was typed while no server ran is recorded")
  func typedMeanwhile() throws {
    let client = try hide(Self.clean.replacing("dog", with: "cat"))
    try client.command("write")
    #expect(client.disk?.files[Self.path]?.contains("{~~dog~>cat~~}") == true)
  }

  @Test("What was typed while no server ran is not written by itself, whatever is taken back of it")
  func typedAndTakenBack() throws {
    let client = try hide(Self.clean.replacing("dog", with: "cat"))
    client.type("x", before: "cat")
    client.replace("xcat", with: "cat")
    client.pause()
    #expect(client.disk?.files[Self.path] == Self.marked)
  }

  @Test("With tracking off nothing that is typed into a text without its marks is a change")
  func untracked() throws {
    let client = try hide(Self.clean.replacing("dog", with: "cat"), tracking: "off")
    #expect(try client.command("status")["tracking"]?.bool == false)
    client.type("red ", before: "fox")
    try client.command("write")
    #expect(
      client.disk?.files[Self.path]
        == Self.marked.replacing("fox", with: "red fox").replacing("dog", with: "cat")
    )
  }

  @Test("A file with CRLF that is shown with LF keeps its line ends")
  func lineEnds() throws {
    let client = try hide(file: Self.marked.replacing("\n", with: "\r\n"))
    #expect(try client.command("status")["changes"]?.integer == 3)
    client.replace("dog", with: "cat")
    #expect(client.buffer.hasSuffix("cat.\n"))
  }

  @Test("A file that another program has changed is not written, and the client is told")
  func raced() throws {
    let client = try hide()
    client.replace("dog", with: "cat")
    client.disk?.write(Self.path, "other\n")
    #expect(throws: ResponseError.self) { try client.command("write") }
    #expect(client.disk?.files[Self.path] == "other\n")
  }

  @Test("A file that is not there yet is made")
  func new() throws {
    let client = try hide("", file: nil)
    client.change(0..<0, "One.\n")
    try client.command("write")
    #expect(client.disk?.files[Self.path] == "One.\n")
  }

  @Test("The marks of another text, or of a file that cannot be read, are not taken")
  func foreign() throws {
    let client = try open("Something else.\n", file: "0123456789 0123456789 {++0123456789++}\n")
    #expect(throws: ResponseError.self) { try client.command("marks", #""marks":"file""#) }
    client.disk?.locked = [Self.path]
    #expect(throws: ResponseError.self) { try client.command("marks", #""marks":"file""#) }
    #expect(throws: ResponseError.self) { try client.command("write") }
    #expect(try place(client) == "inline")
  }

  @Test("The marks of an open text are hidden and shown again")
  func shows() throws {
    let client = try open()
    try move(client, to: "file")
    #expect(client.buffer == Self.clean)
    client.replace("dog", with: "cat")
    try client.command("write")
    let expected = Self.marked.replacing(" dog.", with: " {~~dog~>cat~~}.")
    #expect(client.disk?.files[Self.path] == expected)
    try move(client, to: "inline")
    #expect(client.buffer == expected)
    client.save()
    #expect(client.disk?.files[Self.path] == expected)
    #expect(throws: ResponseError.self) { try client.command("write") }
  }

  // MARK: - Decisions taken back

  @Test("The last decision is taken back, which undo does not do beside the text")
  func reopens() throws {
    let client = try open(Self.clean, file: Self.clean, record: Self.marked)
    #expect(throws: ResponseError.self) { try client.command("reopen") }
    try client.command("accept", #""range":\#(Wire.range(0, 5, 0, 5))"#)
    try client.command("reject", #""range":\#(Wire.range(0, 20, 0, 20))"#)
    client.pause()
    #expect(client.buffer == "The quick brown fox suddenly jumps over the lazy dog.\n")
    try client.command("reopen")
    client.pause()
    #expect(client.buffer == Self.clean)
    client.type("x", before: "dog")
    try client.command("reopen")
    client.save()
    #expect(client.buffer == Self.clean.replacing("dog", with: "xdog"))
    #expect(
      client.disk?.files[Self.record] == Self.marked.replacing(" dog", with: " {++x++}dog")
    )
  }

  @Test("Where the marks are in the text, undo takes a decision back")
  func undoReopens() throws {
    let client = try open()
    #expect(throws: ResponseError.self) { try client.command("reopen") }
  }

  // MARK: - All of it

  @Test(
    "Nothing is lost when marks are moved among edits and undo, in every manner of a client",
    arguments: [SimulatedClient.Manner.helix, .neovim, .emacs]
  )
  func sessions(_ manner: SimulatedClient.Manner) {
    forAll(
      runs(100),
      length: 14,
      step: { MovingStep.random(&$0) },
      law: { _, steps in
        do {
          let session = MovingSession(try open(manner: manner))
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

/// Something that a writer does who moves the marks now and then.
private enum MovingStep: CustomStringConvertible {
  case insert(Double, String)
  case move(String)
  case undo
  case save

  var description: String {
    switch self {
    case .insert(let at, let new): ".insert(\(at), \(new.debugDescription))"
    case .move(let place): ".move(\(place.debugDescription))"
    case .undo: ".undo"
    case .save: ".save"
    }
  }

  static func random(_ random: inout Seeded) -> MovingStep {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      let word = ["x", "two ", "\n", "é"].randomElement(using: &random) ?? ""
      return .insert(Double(Int.random(in: 0...64, using: &random)) / 64, word)
    case 4...6: return .move(["inline", "beside"].randomElement(using: &random) ?? "")
    case 7...8: return .undo
    default: return .save
    }
  }
}

/// A session of such a writer, beside which a plain editor holds what the clean text is.
private final class MovingSession {
  private let client: SimulatedClient
  private var clean: [UInt8]
  private let original: [UInt8]
  private var undone: [(text: Text, clean: [UInt8])] = []

  init(_ client: SimulatedClient) {
    self.client = client
    let bytes = client.text.bytes
    clean = Reading(of: bytes).text(.clean, of: bytes)
    original = Reading(of: bytes).text(.original, of: bytes)
  }

  func perform(_ step: MovingStep) throws -> String? {
    switch step {
    case .insert(let at, let new):
      // Where a letter is in the text and in the clean text; inside marks another test types.
      let bytes = client.text.bytes
      let kept = VariantText(.clean, of: bytes, Reading(of: bytes))
      let isInline = try client.command("status")["marks"]?.string == "inline"
      let start = starts(clean)[Int(at * Double(starts(clean).count - 1))]
      let place = isInline ? kept.place(of: start) : start
      undone.append((client.text, clean))
      client.change(place..<place, new)
      clean.insert(contentsOf: new.utf8, at: start)
      client.pause()
    case .move(let place):
      undone.append((client.text, clean))
      try client.command("marks", #""marks":"\#(place)""#)
      client.pause()
    case .undo:
      guard let last = undone.popLast() else { return nil }
      client.travel(to: last.text)
      clean = last.clean
      client.pause()
    case .save: client.save()
    }
    let document = client.server.documents[DocumentKey(uri: client.uri)]
    let record = document?.tracker.buffer.bytes ?? []
    let reading = Reading(of: record)
    let told = "\(String(decoding: record, as: UTF8.self))\n\(client.log.joined(separator: "\n"))"
    if document?.showsMarks == false, client.text.bytes != clean { return "the text: \(told)" }
    if reading.text(.clean, of: record) != clean { return "the clean text: \(told)" }
    return reading.text(.original, of: record) != original ? "the original: \(told)" : nil
  }

  private func starts(_ bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
  }
}
