import Foundation
import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

/// A session that was written down, to be played again.
private struct SessionFile: CustomTestStringConvertible {
  var url: URL
  var testDescription: String { url.lastPathComponent }

  static let all: [SessionFile] = {
    let folder = Repository.root.appending(path: "Tests/Sessions")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    return (files ?? []).filter { $0.pathExtension == "session" }
      .sorted { $0.path < $1.path }.map(SessionFile.init)
  }()
}

/// What is kept of a document with an odd name.
private let baseline = {
  var baseline = Baseline(document: "file:///é \n.md")
  baseline.choice = true
  baseline.text = TextHash(of: [1, 2])
  baseline.holders = ["12-0"]
  return baseline
}()

@Suite("Recorded sessions", .timeLimited) struct SessionTests {
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE"] == "1"

  @Test(
    "A session is answered as it was written down; UPDATE=1 writes it anew",
    arguments: SessionFile.all
  )
  private func replay(_ file: SessionFile) throws {
    let recorded = try Transcript(Array(try Data(contentsOf: file.url)))
    let replayed = recorded.replayed()
    if SessionTests.isUpdating {
      try Data(replayed.bytes).write(to: file.url)
      return
    }
    for (number, (old, new)) in zip(recorded.lines, replayed.lines).enumerated() {
      try #require(
        old == new,
        "\(file.testDescription), line \(number + 1): was\n  \(old)\nnow\n  \(new)"
      )
    }
    #expect(recorded.lines.count == replayed.lines.count)
  }

  @Test("There are sessions, each with an answer from the server")
  func sessions() throws {
    #expect(SessionFile.all.count >= 5)
    for file in SessionFile.all {
      let transcript = try Transcript(Array(try Data(contentsOf: file.url)))
      let answers = transcript.lines.filter { if case .server = $0 { true } else { false } }
      #expect(answers.count > 2, "\(file.testDescription)")
    }
  }

  @Test("A transcript is read and written without loss")
  func transcript() throws {
    let text = "# a remark\n\n@12\n--> {\"é\":1}\n<-- {}\n@13\n"
    let transcript = try Transcript(Array(text.utf8))
    #expect(
      transcript.lines == [
        .remark("# a remark"), .remark(""), .time(12), .client(Array("{\"é\":1}".utf8)),
        .server(Array("{}".utf8)), .time(13),
      ]
    )
    #expect(transcript.bytes == Array(text.utf8))
  }

  @Test(
    "A wrong line of a transcript is told with its number",
    arguments: ["hello", "@x", "-->{}", "-/> {}", "-/> {\"effect\":\"sing\"}", "-/> 7"]
  )
  func wrongLine(_ line: String) {
    let failure = #expect(throws: Transcript.Failure.self) {
      try Transcript(Array("# fine\n\(line)\n".utf8))
    }
    #expect(failure?.description.hasPrefix("line 2") == true)
  }

  @Test(
    "A recorded session is replayed the same, with messages when something is due and lost edits",
    arguments: [700, 750, 751, 800],
    [2000, 5000]
  )
  func recording(_ lastKey: Int, _ end: Int) throws {
    let folder = try Folder()
    let recorder = Recorder(
      descriptor: try Platform.create(folder.file("x.session")),
      start: 5000
    )
    try record(
      with: recorder,
      [
        (
          0,
          #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"#
            + #""clientInfo":{"name":"Neovim"},"capabilities":{"workspace":{"applyEdit":true}},"#
            + #""initializationOptions":{"tracking":"on"}}}"#
        ),
        (
          0,
          #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":"#
            + #"{"uri":"file:///draft.md","languageId":"markdown","version":1,"text":"one\n"}}}"#
        ),
        (0, change("a", version: 2)), (lastKey, change("b", version: 3)),
        (end, #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#),
      ]
    )
    let recorded = try Transcript(try folder.bytes("x.session"))
    #expect(recorded.lines.contains { "\($0)".contains("applyEdit") })
    #expect(recorded.replayed() == recorded)
  }

  @Test("Noise in a recorded session is replayed too")
  func noise() throws {
    let folder = try Folder()
    var recorder = Recorder(descriptor: try Platform.create(folder.file("x.session")), start: 0)
    let server = Server()
    for event in [Event.noise("This is not a header: hello"), .hangUp] {
      recorder.record(event, at: 3, isDue: false)
      recorder.record(server.handle(event, at: 3))
    }
    let recorded = try Transcript(try folder.bytes("x.session"))
    #expect(recorded.lines.contains { "\($0)".contains("-32700") })
    #expect(recorded.replayed() == recorded)
  }

  @Test(
    "What came of an effect is written down and read without loss",
    arguments: [
      EffectOutcome(effect: .recall("file:///é \n.md", TextHash()), result: .found(nil)),
      EffectOutcome(
        effect: .recall("file:///x", TextHash()),
        result: .found(BaselineFolder.Found(baseline: baseline, original: Array("é\n".utf8)))
      ),
      EffectOutcome(
        effect: .keep(Effect.Kept(baseline: baseline, isOpen: true, original: [])),
        result: .done
      ),
      EffectOutcome(
        effect: .look("file:///x", FileStamp(size: 1, modified: 2)),
        result: .stamp(FileStamp(size: 3, modified: 4), TextHash(of: [1]))
      ),
      EffectOutcome(
        effect: .look("file:///x", nil),
        result: .stamp(FileStamp(size: 3, modified: 4), nil)
      ),
      EffectOutcome(effect: .recall("file:///x", TextHash()), result: .failure("“no”\n")),
      EffectOutcome(effect: .list("/book"), result: .listing(Listing())),
      EffectOutcome(
        effect: .list("/b \"q\""),
        result: .listing(
          Listing(
            folders: ["a", "ü"],
            files: [
              .init(name: "x.md", stamp: FileStamp(size: 7, modified: 1_763_000_000_123_456_789)),
              .init(
                name: "y.md",
                stamp: FileStamp(size: 1, modified: 2),
                record: FileStamp(size: 3, modified: 4)
              ),
            ]
          )
        )
      ),
      EffectOutcome(effect: .list("/book"), result: .gone),
      EffectOutcome(effect: .read("/book/a.md"), result: .text(Array("{++a\r\n\u{0}++}\t👩‍👩‍👧".utf8))),
      EffectOutcome(effect: .read("/book/a.md"), result: .text([])),
      EffectOutcome(effect: .read("/book/a.md"), result: .text([1], .text(Array("é\n".utf8)))),
      EffectOutcome(effect: .read("/book/a.md"), result: .text([1], .unreadable("“no”"))),
      EffectOutcome(effect: .readContent("/book/ü.md", within: "/book"), result: .text([])),
      EffectOutcome(effect: .readContent("/x.md", within: nil), result: .gone),
      EffectOutcome(effect: .idle, result: .idle),
      EffectOutcome(effect: .nameWriter("/a b"), result: .name("Zoë")),
      EffectOutcome(effect: .nameWriter("/"), result: .name(nil)),
      EffectOutcome(effect: .read("/book/a.md"), result: .failure("Permission denied")),
    ]
  )
  func outcome(_ outcome: EffectOutcome) throws {
    let folder = try Folder()
    var recorder = Recorder(descriptor: try Platform.create(folder.file("x.session")), start: 0)
    recorder.record(.outcome(outcome), at: 3, isDue: false)
    recorder.record(.slow(340), at: 3, isDue: false)
    recorder.record(.session(7), at: 3, isDue: false)
    recorder.record(.day("2026-11-26"), at: 3, isDue: false)
    let read = try Transcript(try folder.bytes("x.session"))
    #expect(
      read.lines == [
        .time(3), .outside(.outcome(outcome)), .outside(.slow(340)), .outside(.session(7)),
        .outside(.day("2026-11-26")),
      ]
    )
    #expect(read.bytes == (try folder.bytes("x.session")))
  }

  private func change(_ letter: String, version: Int) -> String {
    #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":"#
      + #"{"uri":"file:///draft.md","version":\#(version)},"contentChanges":[{"range":"#
      + #"\#(Wire.range(0, 0, 0, 0)),"text":"\#(letter)"}]}}"#
  }

  /// Plays messages as the loop does: each is handled when it is read, and then a tick; the loop
  /// wakes up by itself when something is due and no message is there.
  private func record(with recorder: Recorder, _ messages: [(Int, String)]) throws {
    var recorder = recorder
    let server = Server()
    func take(_ event: Event, at now: Int) {
      let isDue = server.deadline.map { $0 <= 5000 + now } ?? false
      recorder.record(event, at: 5000 + now, isDue: isDue)
      recorder.record(server.handle(event, at: 5000 + now))
    }
    for (time, body) in messages {
      while let due = server.deadline, due < 5000 + time { take(.tick, at: due - 5000) }
      take(.message(Array(body.utf8)), at: time)
      take(.tick, at: time)
    }
  }

  @Test("A time that goes back in a transcript does not take the session back")
  func timeGoesBack() throws {
    let text = """
      --> {"id":1,"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{"workspace":{"applyEdit":true}},\
      "clientInfo":{"name":"Neovim"},"initializationOptions":{"tracking":"on"},"processId":null}}
      --> {"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":\
      {"languageId":"markdown","text":"one","uri":"file:///a.md","version":1}}}
      @1000
      @0
      --> {"jsonrpc":"2.0","method":"textDocument/didChange","params":{"contentChanges":\
      [{"text":"one x"}],"textDocument":{"uri":"file:///a.md","version":2}}}
      @800
      """
    func isEdit(_ line: Transcript.Line) -> Bool { "\(line)".contains("workspace/applyEdit") }
    let session = try Transcript(Array(text.utf8))
    #expect(!session.replayed().lines.contains(where: isEdit))
    let later = try Transcript(Array("\(text)\n@1750\n".utf8))
    #expect(later.replayed().lines.contains(where: isEdit))
  }
}
