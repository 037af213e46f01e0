import TestSupport
import Testing

@testable import TrackEngine

@Suite("Copies of a text as changes of it", .timeLimited) struct CombinationTests {
  private static let names = ["anna", "ben", "cleo"]

  private func combination(
    _ copies: [[UInt8]],
    _ names: [String],
    from base: [UInt8],
    as language: Language
  ) throws -> Combination {
    let all = try zip(copies, names).map { copy, name in
      Combination.Copy(copy, by: try #require(AuthorName(name)))
    }
    return Combination(of: all, from: base, as: language)
  }

  @Test("Every picture shows what becomes of the copies", arguments: try specBlocks("combine"))
  func picture(_ block: SpecBlock) throws {
    let names = block.frames.flatMap(\.actions).map(\.text)
    try #require(names.last == "combined")
    let texts = block.frames.map { Array($0.picture.utf8) }
    let copies = Array(texts[1..<texts.count - 1])
    let language = block.options.language
    let result = try combination(copies, names, from: texts[0], as: language)
    #expect(
      String(decoding: result.text, as: UTF8.self) == block.frames[texts.count - 1].picture,
      sourceLocation: block.location(block.frames[texts.count - 1].line)
    )
    #expect(result.left.isEmpty, sourceLocation: block.location(block.line))
    let originals = [texts[0], result.text].map {
      VariantText(.original, of: $0, as: language).bytes
    }
    #expect(originals[0] == originals[1], sourceLocation: block.location(block.line))
  }

  /// Copies in marks or without, told by the seed.
  private func written(_ copies: WordEdit.Copies, _ seed: UInt64, _ language: Language) -> [[UInt8]]
  {
    copies.all.enumerated().map { index, copy in
      (seed >> UInt64(index)).isMultiple(of: 2)
        ? copy : comparison(of: copies.base, and: copy, as: language)
    }
  }

  @Test(
    "Accepting the changes of one author only gives that author's text, rejecting all the base",
    arguments: Language.allCases
  )
  func authors(_ language: Language) throws {
    let names = try Self.names.map { try #require(AuthorName($0)) }
    let kinds: [WordEdit.Kind] = [.replace, .delete, .insert, .move]
    forAll(runs(300), step: WordEdit.any(of: kinds, by: 3)) { seed, edits in
      let copies = WordEdit.Copies(of: 3, edits, seed: seed, as: language)
      let written = written(copies, seed, language)
      let result = Combination(
        of: zip(written, names).map { Combination.Copy($0, by: $1) },
        from: copies.base,
        as: language
      )
      func told(_ what: String) -> String { "\(what):\n\(copies.told(result.text))" }
      if !result.left.isEmpty { return told("something is left out") }
      if VariantText(.original, of: result.text, as: language).bytes != copies.base {
        return told("the base")
      }
      for (copy, name) in zip(copies.all, names)
      where result.text.taking(name.name, as: language) != copy {
        return told("not the text of \(name.name)")
      }
      return nil
    }
  }

  @Test("The order of the copies matters only for the order of alternatives")
  func order() throws {
    let names = try Self.names.map { try #require(AuthorName($0)) }
    let kinds: [WordEdit.Kind] = [.replace, .delete, .insert, .move, .comment, .highlight]
    forAll(runs(300), step: WordEdit.any(of: kinds, by: 3)) { seed, edits in
      let copies = WordEdit.Copies(of: 3, edits, seed: seed)
      let all = zip(copies.all, names).map { Combination.Copy($0, by: $1) }
      let one = Combination(of: all, from: copies.base)
      let other = Combination(of: all.reversed(), from: copies.base)
      func told(_ what: String) -> String { "\(what):\n\(copies.told(one.text, other.text))" }
      if one.conflicts != other.conflicts { return told("other conflicts") }
      if facts(one.text) != facts(other.text) { return told("other changes") }
      return nil
    }
  }

  /// What each change replaces by what, and who made it; each highlight, and each comment.
  ///
  /// Of two equal words either may be gone. What a highlight is around may be alternatives.
  private func facts(_ text: [UInt8]) -> [String] {
    let reading = Reading(of: text)
    let changes = reading.changes.flatMap { change -> [String] in
      let texts = [change.old(in: reading, text), change.new(in: reading, text)].map {
        String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      }
      let comments = change.comments(in: text).map { String(decoding: $0, as: UTF8.self) }
      guard !change.marks.isEmpty else { return comments }
      if !change.kind.isChange {
        return ["\(change.kind) \(change.new(in: reading, text).sorted())"] + comments
      }
      return ["\(change.kind) \(texts) \(change.makers(in: text).sorted())"] + comments
    }
    return changes.sorted()
  }

  @Test(
    "In any text the original stays, and what accepting everything does not give is told",
    arguments: Language.allCases
  )
  func hostile(_ language: Language) throws {
    let names = try Self.names.map { try #require(AuthorName($0)) }
    let step = WordEdit.any(of: WordEdit.Kind.allCases, by: 3, hostileIn: language)
    forAll(runs(200), step: step) { seed, edits in
      let copies = WordEdit.Copies(of: 3, edits, seed: seed, as: language, isHostile: true)
      let written = written(copies, seed, language).prefix(seed % 2 == 0 ? 1 : 3)
      let result = Combination(
        of: zip(written, names).map { Combination.Copy($0, by: $1) },
        from: copies.base,
        as: language
      )
      func told(_ what: String) -> String { "\(what):\n\(copies.told(result.text))" }
      let reading = Reading(of: result.text, as: language)
      let original = Reading(of: copies.base, as: language).text(.original, of: copies.base)
      if reading.text(.original, of: result.text) != original { return told("the base") }
      guard result.left.isEmpty else { return nil }
      let clean = reading.text(.clean, of: result.text)
      // How lines end is the base's, and no change.
      let only = written[0].withLineEnds(of: copies.base)
      if written.count == 1, clean != Reading(of: only, as: language).text(.clean, of: only) {
        return told("another clean text")
      }
      let words = edits.filter { $0.kind == .insert && $0.word.hasPrefix("x") }.map(\.word)
      for word in words
      where result.text[...].firstRange(of: Array(word.utf8)[...]) == nil
        && written.contains(where: { $0.says(word, among: words, copies.base, language) })
      {
        return told("\(word) is lost")
      }
      return nil
    }
  }

  @Test(
    "What a copy changes in deleted text is told, for it is in neither text",
    arguments: [
      ("{--lazy old --}", "{--lazy new --}"), ("{--old --}", "{--very old --}{>>@jo<<}"),
      ("{~~old ~>big ~~}", "{~~new ~>big ~~}"), ("{--old --}", "{--new --}red "),
      ("{--old --}", "red {--new --}"),
    ]
  )
  func deleted(_ mark: String, _ changed: String) throws {
    let base = Array("A \(mark)dog ran.\n".utf8)
    let copy = Array("A \(changed)dog ran fast.\n".utf8)
    let result = try combination([copy], ["anna"], from: base, as: .markdown)
    #expect(VariantText(.original, of: result.text).bytes == VariantText(.original, of: base).bytes)
    #expect(VariantText(.clean, of: result.text).bytes == VariantText(.clean, of: copy).bytes)
    let left = result.left.map { String(decoding: $0.marks, as: UTF8.self) }
    #expect(left.count == 1 && changed.contains(left.first ?? "none"), "\(left)")
    #expect(result.left.first?.place == 2)
  }

  @Test(
    "A comment stays where another copy put in the same text by another change",
    arguments: [0, 1]
  )
  func commentOnTheSame(_ first: Int) throws {
    let texts = ["a {++x++}{>>why<<}{++ ++}b\n", "a {++x ++}b\n"].map { Array($0.utf8) }
    let names = ["anna", "bo"]
    let order = [first, 1 - first]
    let result = try combination(
      order.map { texts[$0] },
      order.map { names[$0] },
      from: Array("a b\n".utf8),
      as: .markdown
    )
    let comment = Array("{>>why<<}".utf8)
    let place = try #require(result.text[...].firstRange(of: comment[...]))
    #expect(result.text[place.upperBound...].firstRange(of: comment[...]) == nil)
    #expect(result.left.isEmpty)
  }

  @Test(
    "A comment that the text and the copy have stays, whatever was typed beside it",
    arguments: [
      "A blue{>>why<<} cat", "A blue{>>why<<}, hen", "A blue{>>why<<} of cat", "A{>>why<<} hen",
    ]
  )
  func commentOfBoth(_ copy: String) throws {
    for base in ["A {~~red~>blue~~}{>>why<<} hen", "A {~~red~>blue~~}{>>why<<} it hen"] {
      let result = try combination(
        [Array(copy.utf8)],
        ["bo"],
        from: Array(base.utf8),
        as: .markdown
      )
      #expect(String(decoding: result.text, as: UTF8.self).contains("{>>why<<}"), "\(base)")
    }
  }

  @Test("So does one that a copy has kept where another copy replaced what it had accepted")
  func commentOfOne() throws {
    let base = Array("A {~~red~>blue~~}{>>why<<} hen\n".utf8)
    let copies = ["A blue{>>why<<} hen\n", "A green hen\n"].map { Array($0.utf8) }
    for order in [[0, 1], [1, 0]] {
      let result = try combination(
        order.map { copies[$0] },
        order.map { ["anna", "bo"][$0] },
        from: base,
        as: .markdown
      )
      #expect(String(decoding: result.text, as: UTF8.self).contains("{>>why<<}"))
    }
  }

  @Test("Where the text stays as it is, what equals a change of it elsewhere is told, too")
  func equalElsewhere() {
    let base = Array("a {+{>>c<<}+x++} b{++n++} d".utf8)
    let original = Reading(of: base).text(.original, of: base)
    let pieces = [0, 11].map { place in
      CombinedPiece(
        old: place..<place,
        clean: Array("n".utf8),
        forms: [Array("{++n++}".utf8)],
        isConflict: false
      )
    }
    var writing = CombinedWriting(base, original, .markdown, pieces, [])
    writing.write()
    #expect(writing.text == base)
    #expect(writing.left.map(\.start) == [0])
  }

  @Test("What reads as meant only without what another copy puts beside it is read back with it")
  func beside() throws {
    let copies = try [("anna", "\\"), ("bo", "{+")].map {
      Combination.Copy(Array($0.1.utf8), by: try #require(AuthorName($0.0)))
    }
    let text = Combination(of: copies, from: [], as: .typst).text
    #expect(VariantText(.original, of: text, as: .typst).bytes.isEmpty)
    #expect(VariantText(.clean, of: text, as: .typst).bytes == Array("\\{+".utf8))
  }

  @Test("With one copy the result is that copy, whose changes are in marks or become marks")
  func alone() throws {
    let anna = try #require(AuthorName("anna"))
    let kinds = WordEdit.Kind.allCases
    forAll(runs(300), step: WordEdit.any(of: kinds, by: 1)) { seed, edits in
      let copies = WordEdit.Copies(of: 1, edits, seed: seed)
      let tracked = comparison(of: copies.base, and: copies.all[0])
      let result = Combination(of: [Combination.Copy(tracked, by: anna)], from: copies.base)
      if result.text != tracked { return "not the copy:\n\(copies.told(tracked, result.text))" }
      let plain = Combination(of: [Combination.Copy(copies.all[0], by: anna)], from: copies.base)
      func told(_ what: String) -> String { "\(what):\n\(copies.told(plain.text))" }
      if VariantText(.original, of: plain.text).bytes != copies.base { return told("the base") }
      if VariantText(.clean, of: plain.text).bytes != VariantText(.clean, of: copies.all[0]).bytes {
        return told("another clean text")
      }
      return nil
    }
  }

  @Test("Any texts with marks leave the original of the base as it is, and nothing is in no list")
  func manuscripts() throws {
    let names = try Self.names.map { try #require(AuthorName($0)) }
    for seed in 0..<UInt64(runs(40)) {
      let base = Array(Manuscript(of: 600, seed: seed).text.utf8)
      let copies = (1...3).map { copy -> [UInt8] in
        var random = Seeded(seed: seed &* 7 &+ UInt64(copy))
        let text = copy == 2 ? VariantText(.clean, of: base).bytes : base
        let words = String(decoding: text, as: UTF8.self).split(separator: " ").map { word in
          Int.random(in: 0..<15, using: &random) == 0 ? "new\(copy)" : String(word)
        }
        return Array(words.joined(separator: " ").utf8)
      }
      let result = Combination(
        of: zip(copies, names).map { Combination.Copy($0, by: $1) },
        from: base
      )
      let originals = [base, result.text].map { VariantText(.original, of: $0).bytes }
      #expect(originals[0] == originals[1], "seed \(seed)")
      let told = result.text + result.left.flatMap(\.marks)
      for (index, copy) in copies.enumerated() {
        let word = Array("new\(index + 1)".utf8)[...]
        guard copy.firstRange(of: word) != nil else { continue }
        let texts = ([base] + copies + [result.text]).map { String(decoding: $0, as: UTF8.self) }
        #expect(
          told.firstRange(of: word) != nil,
          "seed \(seed):\n\(texts.joined(separator: "\n——\n"))"
        )
      }
    }
  }
}

extension [UInt8] {
  /// Whether a word that was typed into a copy is in its clean text, or in a mark of the text that was copied.
  ///
  /// In a deletion of the copy's own it may be nobody's: that text may have accepted the deletion since, and looks the same then.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - words: All that were typed.
  ///   - base: The text that was copied.
  ///   - language: The language of both.
  /// - Returns: False if it is in neither.
  fileprivate func says(
    _ word: String,
    among words: [String],
    _ base: [UInt8],
    _ language: Language
  ) -> Bool {
    let word: [UInt8] = Array(word.utf8)
    let reading = Reading(of: self, as: language)
    if reading.text(.clean, of: self)[...].firstRange(of: word[...]) != nil { return true }
    return reading.topMarks.contains { mark in
      let text = self[mark.range]
      guard text.firstRange(of: word[...]) != nil else { return false }
      let rest = words.reduce(Array(text)) { $0.removing(" \($1)").removing("\($1) ") }
      return base[...].firstRange(of: rest[...]) != nil
    }
  }

  /// The text without each occurrence of another one.
  private func removing(_ text: String) -> [UInt8] {
    Array(String(decoding: self, as: UTF8.self).replacing(text, with: "").utf8)
  }
}
