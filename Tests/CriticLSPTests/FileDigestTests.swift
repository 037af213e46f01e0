import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("The changes of a text, found a step at a time", .timeLimited) struct FileDigestTests {
  /// A piece of text, and whether it is typed into the rest.
  private struct Piece: CustomStringConvertible {
    let text: [UInt8]
    /// Where it is typed, as a fraction of the text; nil if it was there from the beginning.
    let place: Double?

    var description: String {
      String(decoding: text, as: UTF8.self).debugDescription + (place.map { " at \($0)" } ?? "")
    }

    static func random(_ random: inout Seeded) -> Piece {
      let isTyped = Int.random(in: 0..<5, using: &random) == 0
      return Piece(
        text: DocumentWalkTests.piece(&random),
        place: isTyped ? Double.random(in: 0..<1, using: &random) : nil
      )
    }
  }

  /// How a text is kept.
  private enum Way: CaseIterable { case typed, listed, hidden }

  /// A document with a text, in which pieces were typed if something can be pending.
  private func snapshot(_ pieces: [Piece], _ way: Way, most: Int = 2000) -> Snapshot {
    let there = pieces.filter { $0.place == nil }.flatMap(\.text)
    let options = Tracker.Options(.markdown)
    // As an editor would send it.
    let text = Text(EffectRunner.text(there))
    var tracker = Tracker(text, isTracking: way == .typed, options: options)
    for piece in pieces where way == .typed {
      guard let place = piece.place else { continue }
      let bytes = Array(tracker.buffer[0..<tracker.buffer.count])
      var at = Int(place * Double(bytes.count))
      while at > 0, at < bytes.count, bytes[at] & 0xC0 == 0x80 { at -= 1 }
      let end = bytes[at...].dropFirst(Int(place * 100) % 9).firstIndex { $0 & 0xC0 != 0x80 }
      tracker.report(Edit(at..<(end ?? at), EffectRunner.text(piece.text)))
    }
    var settings = Settings()
    settings.maxChanges = most
    let document = Document(
      uri: "file:///a.md",
      version: 1,
      tracker: tracker,
      settings: settings,
      revisions: Counter()
    )
    if way == .hidden {
      let projection = Projection(record: text, options: options)
      document.keepMarks(in: ProjectedText(projection, in: .file), at: 0)
    }
    return Snapshot(of: document, Client(InitializeParams(nil)))
  }

  /// Everything that is found in a document.
  private func found(_ snapshot: Snapshot, isListed: Bool, in blocks: HeadedBlocks?) -> [String] {
    var digest = FileDigest(snapshot, path: "/a.md", isListed: isListed, in: blocks)
    while digest.step() {}
    let items = digest.file.diagnostics.flatMap { list in
      (try? JSON(parsing: list))?.elements.map { "\($0)" } ?? ["no JSON"]
    }
    return digest.file.symbols.map { "\($0)" } + items
  }

  @Test("In small pieces the same is found as at once")
  func pieces() {
    forAll(runs(200), length: 40, step: Piece.random) { seed, pieces in
      for way in Way.allCases {
        let snapshot = snapshot(pieces, way)
        let isListed = way != .typed
        let whole = found(snapshot, isListed: isListed, in: nil)
        for (window, grain) in [(1, 1), (7, 1), (64, 16), (4096, 64)] {
          let blocks = blocks(of: snapshot, window, grain, isListed: isListed)
          let parts = found(snapshot, isListed: isListed, in: blocks)
          guard parts != whole else { continue }
          let first = zip(whole, parts).first { $0 != $1 } ?? (whole.last ?? "", parts.last ?? "")
          return """
            \(way), window \(window), grain \(grain), \
            \(String(decoding: snapshot.text.bytes, as: UTF8.self).debugDescription):
            \(whole.count) at once, \(parts.count) in pieces:
            \(first.0)
            \(first.1)
            """
        }
      }
      return nil
    }
  }

  private func blocks(
    of snapshot: Snapshot,
    _ window: Int,
    _ grain: Int,
    isListed: Bool
  ) -> HeadedBlocks {
    let survey = TextSurvey(
      count: snapshot.text.count,
      language: .markdown,
      findsMalformed: isListed && snapshot.showsMarks,
      window: window,
      grain: grain
    )
    return HeadedBlocks(snapshot.text, survey)
  }

  /// A list as it is sent.
  private func told(_ list: [ChangeDiagnostics]) -> String {
    var writer = JSONWriter()
    DiagnosticItems.open(list).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("A list that is made a step at a time is the one that is made at once")
  func lists() {
    forAll(runs(200), length: 40, step: Piece.random) { _, pieces in
      for (way, most) in Way.allCases.flatMap({ way in [0, 3, 2000].map { (way, $0) } }) {
        let snapshot = snapshot(pieces, way, most: most)
        let whole = told([snapshot.diagnostics])
        for (window, grain) in [(1, 1), (7, 1), (64, 16), (4096, 64)] {
          let blocks = blocks(of: snapshot, window, grain, isListed: true)
          let making = ListMaking(snapshot, 1, in: blocks)
          while making.list == nil { making.step() }
          let parts = told(making.list ?? [])
          guard parts != whole else { continue }
          return """
            \(way), at most \(most), window \(window), grain \(grain), \
            \(String(decoding: snapshot.text.bytes, as: UTF8.self).debugDescription):
            \(whole)
            \(parts)
            """
        }
      }
      return nil
    }
  }

  @Test("A long text is read in many steps, none of which reads more than a block of it")
  func steps() throws {
    let line = "Some words {++and more of it++} in it.\n"
    let text = String(repeating: "## Part\n\n" + String(repeating: line, count: 100), count: 100)
    let snapshot = snapshot([Piece(text: Array(text.utf8), place: nil)], .typed)
    var blocks = try #require(HeadedBlocks(of: snapshot, isListed: false))
    var read = 1
    while blocks.step() { read += 1 }
    #expect(blocks.blocks.allSatisfy { $0.bytes.count <= HeadedBlocks.shortText })
    #expect(blocks.blocks.count > 5)
    var digest = FileDigest(snapshot, path: "/a.md")
    var most = 0
    var steps = 0
    while digest.step() {
      most = max(most, digest.takeSymbols().count)
      steps += 1
    }
    #expect(steps > read + 10_000 / 256)
    #expect((1...256).contains(most))
  }
}
