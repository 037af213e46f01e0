import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("A document read block by block", .timeLimited) struct DocumentWalkTests {
  private static let fragments =
    [
      "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}", "`", "```",
      "~~~", "\n", "\n\n", "\r\n", "\r", "\\", "{—", "—}", "{--old—}", "> ", "é", "|",
      "\n```\n", "\n~~~\n", "\n```\n\n", "{++}", "{~~}", "^", "{~~a->b~~}", "{~~a~~}",
      "{++ x {~~ y ++}", "{++ x {-- y ++}", "{--a {++b--} c++}",
      "\n[^cn-1]: b\n",
      "\n---\n", "---\ntitle: x\n", "\n\n---\n\n", "{\n\"a\": 1\n", "\n}\n", "\n...\n",
      "\n===\n", "\n<!-- ", " -->\n", "{++```++}", "{--\n--}", "{++\n\n++}",
      "\n{--```\n--}",
      "{+{--x--}+", "`{--`--}", "{++\n```\n++}", "\n- item\n", "\r{--x--}\n", "\n    code\n",
    ].map { Array($0.utf8) } + [[0xFF], [0x80], [0xE2, 0x80]]
  private static let usual =
    [
      "{++a++}", "{--b--}", "{~~a~>b~~}", "{==h==}", "{>>c<<}", "{++a++}{>>@anna | 2026-11-22<<}",
      "{==h {++in++} h==}{>>why<<}", "{>>[tag] c<<}", "word ", "word\n", "a few words. ", "\n",
      "\n\n",
      "\n\n", "\n\n## Heading\n\n", "\nTitle\n===\n", "{++a++}[^cn-1]", "{--b--}[^cn-2]", "[^cn-2]",
      "\n\n[^cn-1]: @anna | 2026-11-22 | ins | proposed\n", "    more of it\n",
      "\n\n[^cn-2]: @bob | 2026-11-23 | del\n\n    a paragraph of it {++x++}\n", "{>>\n\n<<}",
      "\n---\n\nAnnotations: 0,9\n@anna: 0,4\n...\n",
    ].map { Array($0.utf8) }

  /// A piece of a text that may read differently in blocks.
  static func piece(_ random: inout Seeded) -> [UInt8] {
    let isHostile = Int.random(in: 0..<3, using: &random) == 0
    return (isHostile ? fragments : usual).randomElement(using: &random) ?? []
  }

  /// What differs between the list of a text and that of the same text read block by block; nil if nothing does.
  private static func difference<Lister: DocumentLister>(
    _ bytes: [UInt8],
    _ lister: Lister,
    window: Int,
    grain: Int
  ) throws -> String? {
    func shown(_ entry: Lister.Entry) -> String {
      guard let change = entry as? ListedChange else { return "\(entry)" }
      var writer = JSONWriter()
      change.write(to: &writer) { $0.member("byline", change.entry.byline) }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    var whole: [String] = []
    var (one, other) = (lister, lister)
    one.list(DocumentPart(bytes, Reading(of: bytes), hasPlaces: lister.needsPlaces)) {
      whole.append(shown($0))
    }
    var parts: [String] = []
    func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
    let survey = try DocumentWalk.survey(
      TextSurvey(
        count: bytes.count,
        language: .markdown,
        findsMalformed: lister.findsMalformed,
        window: window,
        grain: grain
      ),
      read
    )
    try DocumentWalk(survey, needsPlaces: lister.needsPlaces, read)
      .each(isSilent: !lister.findsMalformed) { other.list($0) { parts.append(shown($0)) } }
    if whole == parts { return nil }
    let first = zip(whole, parts).first { $0 != $1 } ?? (whole.last ?? "", parts.last ?? "")
    return """
      window \(window), grain \(grain), \(String(decoding: bytes, as: UTF8.self).debugDescription):
      \(whole.count) as a whole, \(parts.count) in blocks:
      \(first.0)
      \(first.1)
      """
  }

  /// The same for what is listed of a text, in windows of several sizes.
  private static func difference(
    _ bytes: [UInt8],
    _ seed: UInt64,
    _ sizes: [(window: Int, grain: Int)] = [(1, 1), (7, 1), (64, 16), (4096, 64)]
  ) -> String? {
    var filter = ChangeFilter()
    if seed.isMultiple(of: 3) { filter.authors = ["anna"] }
    if seed % 3 == 1 { filter.lines = [2...4, 9...20] }
    let isMalformedOnly = seed.isMultiple(of: 2)
    for (window, grain) in sizes {
      do {
        let found =
          try difference(bytes, ChangeLister(filter), window: window, grain: grain)
          ?? difference(
            bytes,
            FindingLister(isMalformedOnly: isMalformedOnly),
            window: window,
            grain: grain
          )
        if let found { return found }
      } catch { return "\(error)" }
    }
    return nil
  }

  @Test("The same is listed of any text as when it is read as a whole, however little at once")
  func random() {
    forAll(runs(200), length: 40, step: DocumentWalkTests.piece) { seed, pieces in
      DocumentWalkTests.difference(pieces.flatMap(\.self), seed)
    }
  }

  @Test("The same is listed of every file that describes the behaviour")
  func spec() throws {
    let folder = Repository.root.appending(path: "Tests/Spec")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      #expect(DocumentWalkTests.difference(bytes, 2, [(300, 16), (4096, 64)]) == nil)
    }
  }
}
