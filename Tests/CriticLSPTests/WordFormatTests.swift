import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("ZIP and XML, of which Word documents are made", .timeLimited) struct WordFormatTests {
  private static let documents: [[UInt8]] = {
    let folder = Path("\(#filePath)").folder / "../Word/baselines"
    return ["RP002-Deleted-Text", "RP012-Multiple-Inserted-Rows", "RP050-Deleted-Footnote"]
      .compactMap {
        try? Platform.contents(of: folder / Path("\($0).docx"))
      }
  }()

  @Test("Every file of an archive is read as its checksum says, and again from what is written")
  func archives() throws {
    #expect(Self.documents.count == 3)
    for bytes in Self.documents {
      let archive = try ZipArchive(bytes)
      #expect(archive.names.count > 5)
      let again = try ZipArchive(archive.bytes)
      #expect(again.names == archive.names)
      for name in archive.names {
        let contents = try archive.contents(of: name)
        #expect(try again.contents(of: name) == contents)
        var copy = ZipArchive()
        copy.set(name, contents ?? [])
        #expect(try ZipArchive(copy.bytes).contents(of: name) == contents)
      }
    }
  }

  @Test("A damaged archive is refused or read, and nothing else happens")
  func damaged() {
    var random = Seeded(seed: 36)
    for _ in 0..<runs(400) {
      var bytes = Self.documents.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Most of all in the directory, which stands at the end.
        let near = Bool.random(using: &random) ? max(0, bytes.count - 600) : 0
        bytes[Int.random(in: near..<bytes.count, using: &random)] = .random(
          in: 0...255,
          using: &random
        )
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      guard let archive = try? ZipArchive(bytes) else { continue }
      for name in archive.names {
        guard let contents = try? archive.contents(of: name) else { continue }
        _ = try? XML.document(contents)
      }
    }
  }

  @Test("A file that says that it is short and is not is refused")
  func bomb() throws {
    var archive = ZipArchive()
    archive.set("a", [UInt8](repeating: 0, count: 100))
    var bytes = archive.bytes
    // The length in the directory, 24 bytes behind its beginning.
    let directory = try #require(
      bytes.indices.last { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
    )
    for index in 0..<4 { bytes[directory + 24 + index] = 0xFF }
    let error = #expect(throws: ZipArchive.Failure.self) {
      _ = try ZipArchive(bytes).contents(of: "a")
    }
    #expect(error != nil)
  }

  @Test("Damaged deflated data comes to an end, and never to more than was allowed")
  func inflation() {
    var random = Seeded(seed: 7)
    for _ in 0..<runs(2000) {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let result = inflated(bytes[...], limit: 5000)
      #expect((result?.count ?? 0) <= 5000)
    }
  }

  @Test("XML is written as it was read")
  func xml() throws {
    let text =
      "<?xml version=\"1.0\"?><!-- c --><a x='1 &lt; &quot;2&quot;&#10;' y=\"\"><b/>t &amp; &#x6F22;<![CDATA[<c>]]></a>"
    let root = try XML.document(Array(text.utf8))
    #expect(root["x"] == "1 < \"2\"\n")
    #expect(root.text == "t & 漢<c>")
    let written = root.document
    #expect(
      String(decoding: written, as: UTF8.self).hasSuffix(
        "<a x=\"1 &lt; &quot;2&quot;&#10;\" y=\"\"><b/>t &amp; 漢&lt;c&gt;</a>"
      )
    )
    #expect(try XML.document(written).document == written)
  }

  @Test(
    "XML that is not well-formed, has a document type, or is nested too deeply is refused",
    arguments: [
      "", "text", "<a>", "<a></b>", "<a x></a>", "<a x=1/>", "<a>&no;</a>", "<a/><b/>",
      "<a>&#xFFFFFF;</a>",
      "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", String(repeating: "<a>", count: 100_000),
    ]
  )
  func malformed(_ text: String) {
    #expect(throws: XML.Failure.self) { _ = try XML.document(Array(text.utf8)) }
  }

  @Test("Sentinels are found where they were put")
  func sentinels() {
    let text = "a\(Sentinel.start(0).text)b\(Sentinel.end(123_456).text)\(Sentinel.escape.text)c"
    #expect(
      Sentinel.parts(of: Array(text.utf8)) == [
        .text(Array("a".utf8)), .sentinel(.start(0)), .text(Array("b".utf8)),
        .sentinel(.end(123_456)),
        .sentinel(.escape), .text(Array("c".utf8)),
      ]
    )
    #expect(Sentinel.removed(from: Array(text.utf8)) == Array("abc".utf8))
  }

  @Test(
    "The text of a line begins behind what makes its block",
    arguments: [
      ("text", 0), ("# head", 2), ("- item", 2), ("  - item", 4), ("12. item", 4),
      ("> - [ ] task", 8),
      ("| cell |", 2), ("[^1]: note", 6), ("    code", 4), ("#no", 0), ("-no", 0), ("", 0),
      ("> ", 2),
    ]
  )
  func prefixes(_ line: String, _ length: Int) {
    #expect(blockPrefixLength(of: Array(line.utf8)[...]) == length)
  }

  @Test("References to footnotes and definitions are told apart, and code and escapes are neither")
  func noteMarkers() {
    let first = "a[^1]: b\\[^2] `[^3]`[^x y][^]\n\n[^n-4]: text[^5]\n\n"
    let text = Array((first + "[^6] c\\\\[^7] \\\\\\[^8]\n").utf8)
    let markers = NoteMarker.all(in: text, Reading(of: text, as: Pandoc.language))
    #expect(markers.map(\.label) == ["1", "n-4", "5", "6", "7"])
    #expect(markers.map(\.isDefinition) == [false, true, false, false, false])
    #expect(markers.map { String(decoding: text[$0.range], as: UTF8.self) }.first == "[^1]")
  }
}
