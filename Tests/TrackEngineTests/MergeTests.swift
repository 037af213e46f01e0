import TestSupport
import Testing

@testable import TrackEngine

@Suite("Two versions of a text as one", .timeLimited) struct MergeTests {
  private let names: Merge.Names

  init() throws {
    names = Merge.Names(
      ours: try #require(AuthorName("ours")),
      theirs: try #require(AuthorName("theirs"))
    )
  }

  @Test("Every picture shows what becomes of both", arguments: try specBlocks("merge"))
  func picture(_ block: SpecBlock) throws {
    try #require(block.frames.flatMap(\.actions).map(\.text) == ["ours", "theirs", "merged"])
    let texts = block.frames.map { Array($0.picture.utf8) }
    let language = block.options.language
    let merge = Merge(of: texts[1], and: texts[2], from: texts[0], as: language, names)
    let expected = block.frames[3].picture
    let location = block.location(block.frames[3].line)
    #expect(String(decoding: merge.text, as: UTF8.self) == expected, sourceLocation: location)
    let isConflict = expected.contains("[conflict]") || expected.contains("<<<<<<<")
    #expect((merge.conflicts > 0) == isConflict, sourceLocation: location)
  }

  @Test(
    "No word is lost or doubled, whichever side comes first",
    arguments: Language.allCases
  )
  func nothingIsLost(_ language: Language) {
    forAll(runs(400), step: WordEdit.any(of: WordEdit.Kind.allCases, by: 2)) { seed, edits in
      let copies = WordEdit.Copies(of: 2, edits, seed: seed, as: language)
      let (ours, theirs) = (copies.all[0], copies.all[1])
      let merge = Merge(of: ours, and: theirs, from: copies.base, as: language, names)
      let other = Merge(of: theirs, and: ours, from: copies.base, as: language, names)
      func told(_ what: String) -> String { "\(what):\n\(copies.told(merge.text, other.text))" }
      if merge.conflicts != other.conflicts { return told("other conflicts the other way round") }
      let (all, before) = (words(merge.text), words(copies.base))
      let (mine, yours) = (words(ours), words(theirs))
      for word in Set(mine.keys).union(yours.keys) {
        let (was, one, two) = (before[word] ?? 0, mine[word] ?? 0, yours[word] ?? 0)
        let found = all[word] ?? 0
        if was == 0, found == 0 { return told("\(word) is lost") }
        guard merge.conflicts == 0, !copies.isRepeating else { continue }
        // What both did may be one change or two.
        let possible = [one, two, one + two - was]
        guard let least = possible.min(), let most = possible.max() else { continue }
        if found < least || found > most { return told("\(word) is there \(found) times") }
      }
      return nil
    }
  }

  private func words(_ text: [UInt8]) -> [Substring: Int] {
    String(decoding: text, as: UTF8.self).split { !$0.isLetter && !$0.isNumber }
      .reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  @Test(
    "In any text conflicts are read as such, and one side alone gives its text",
    arguments: Language.allCases
  )
  func hostile(_ language: Language) {
    let step = WordEdit.any(of: WordEdit.Kind.allCases, by: 2, hostileIn: language)
    forAll(runs(200), step: step) { seed, edits in
      let copies = WordEdit.Copies(of: 2, edits, seed: seed, as: language, isHostile: true)
      let (base, ours, theirs) = (copies.base, copies.all[0], copies.all[1])
      let merge = Merge(of: ours, and: theirs, from: base, as: language, names)
      func told(_ what: String) -> String { "\(what):\n\(copies.told(merge.text))" }
      for (one, other) in [(ours, base), (base, ours), (ours, ours)]
      where Merge(of: one, and: other, from: base, as: language, names).text != ours {
        return told("one side alone")
      }
      let reading = Reading(of: merge.text, as: language)
      let inMarks = reading.changes.count { $0.isConflict(in: merge.text) }
      let lines = merge.text.split(separator: Ascii.newline).count {
        $0.starts(with: Array("<<<<<<< ours".utf8))
      }
      if inMarks < merge.conflicts, lines < merge.conflicts { return told("a hidden conflict") }
      return nil
    }
  }

  @Test(
    "Taking one side of every conflict leaves no mark, and all that is new on that side",
    arguments: Language.allCases
  )
  func sides(_ language: Language) {
    let kinds: [WordEdit.Kind] = [.replace, .delete, .insert]
    forAll(runs(400), step: WordEdit.any(of: kinds, by: 2)) { seed, edits in
      let copies = WordEdit.Copies(of: 2, edits, seed: seed, as: language)
      let (ours, theirs) = (copies.all[0], copies.all[1])
      let merge = Merge(of: ours, and: theirs, from: copies.base, as: language, names)
      guard merge.conflicts > 0 else { return nil }
      for (side, name) in [names.ours, names.theirs].enumerated() {
        let taken = merge.text.taking(name.name, as: language)
        if taken.contains(Ascii.open) { return "marks are left:\n\(copies.told(taken))" }
        for edit in edits {
          let word = Array(edit.word.utf8)[...]
          guard copies.all[side].firstRange(of: word) != nil, taken.firstRange(of: word) == nil
          else { continue }
          return "\(edit.word) of \(name.name) is lost:\n\(copies.told(merge.text, taken))"
        }
      }
      return nil
    }
  }

  @Test("A text that both added holds what they have in common once")
  func addedByBoth() {
    let (ours, theirs) = (Array("One.\n\nTwo.\n".utf8), Array("One.\n\nTwo and three.\n".utf8))
    let merge = Merge(of: ours, and: theirs, from: [], names)
    #expect(merge.text == theirs)
    #expect(merge.conflicts == 0)
  }
}
