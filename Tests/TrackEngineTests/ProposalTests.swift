import TestSupport
import Testing

@testable import TrackEngine

@Suite("Proposals", .timeLimited) struct ProposalTests {
  /// Proposes to replace the first of each pair by the second, for the reasons `1`, `2` and so on.
  private func proposed(
    _ text: String,
    _ edits: [(String, String)],
    by author: String? = nil
  ) throws -> String {
    let source = Array(text.utf8)
    let proposals = edits.enumerated().map { index, edit in
      Proposal(Citation(Array(edit.0.utf8)), Array(edit.1.utf8), reason: Array("\(index + 1)".utf8))
    }
    let outcome = try source.proposing(proposals, by: author.flatMap { AuthorName($0) })
    return String(decoding: source.applying(outcome.edits), as: UTF8.self)
  }

  @Test(
    "An edit is one change of the words that differ, with its reason",
    arguments: [
      ("The red hen.", "red", "blue", "The {~~red~>blue~~}{>>1<<} hen."),
      ("The red hen.", "The red hen.", "The blue hen.", "The {~~red~>blue~~}{>>1<<} hen."),
      ("The hen.", "hen", "hens", "The {~~hen~>hens~~}{>>1<<}."),
      ("The hen.", "The hen", "The old hen", "The {++old ++}{>>1<<}hen."),
      ("The hen ran.", "hen ran", "hen", "The hen{-- ran--}{>>1<<}."),
      ("Über uns", "Über", "Aber", "{~~Über~>Aber~~}{>>1<<} uns"),
      ("我喜歡紅色的母雞。", "紅色的母雞", "藍色的母雞", "我喜歡{~~紅~>藍~~}{>>1<<}色的母雞。"),
      ("One.\n\nTwo.\n\nThree.\n", "Two.\n\n", "", "One.{--\n\nTwo.--}{>>1<<}\n\nThree.\n"),
      ("One.\n\n# Two\n", "One.\n", "One.\n\nMore.\n", "One.{++\n\nMore.++}{>>1<<}\n\n# Two\n"),
      ("Use `a b`.", "a b", "a c", "Use {~~`a b`~>`a c`~~}{>>1<<}."),
    ]
  )
  func one(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test(
    "An edit joins no mark that it only touches, and takes in those that it replaces text of",
    arguments: [
      ("{++new ++}hen", "hen", "fox", "{++new ++}{~~hen~>fox~~}{>>1<<}"),
      (
        "{~~red~>blue~~}{>>@ada: nicer<<}, tall", ", tall", " and tall",
        "{~~red~>blue~~}{>>@ada: nicer<<}{~~,~> and~~}{>>1<<} tall"
      ),
      ("a {++b ++}c", "a b c", "x y", "{~~a c~>x y~~}{>>1<<}"),
      ("a{-- b--} c", "a c", "x", "{~~a b c~>x~~}{>>1<<}"),
      ("a {==b==}{>>why<<} c", "a b c", "x", "{=={~~a b c~>x~~}{>>1<<}==}{>>why<<}"),
      ("red{>>@ruth: so?<<} hen", "red", "blue", "{~~red~>blue~~}{>>1<<}{>>@ruth: so?<<} hen"),
      ("a{>>@ruth: so?<<} b c", "a b", "x", "{~~a b~>x~~}{>>1<<}{>>@ruth: so?<<} c"),
      ("{++one two++}", "one two", "one three", "{++one three++}{>>1<<}"),
      ("a {++b ++}c", "b ", "", "a {>>1<<}c"),
    ]
  )
  func marks(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test("Edits beside each other are changes of their own, in any order")
  func beside() throws {
    let edits = [(" hen", " fox"), ("red", "blue"), (".", "!")]
    #expect(
      try proposed("The red hen.", edits)
        == "The {~~red~>blue~~}{>>2<<} {~~hen~>fox~~}{>>1<<}{~~.~>!~~}{>>3<<}"
    )
  }

  @Test(
    "A highlight stays one and holds the change, and its comment stays at it",
    arguments: [
      ("red", "blue", "A {=={~~red~>blue~~}{>>1<<} hen==}{>>why<<} is."),
      ("hen", "fox", "A {==red {~~hen~>fox~~}{>>1<<}==}{>>why<<} is."),
      ("red hen", "blue fox", "A {=={~~red hen~>blue fox~~}{>>1<<}==}{>>why<<} is."),
      ("red hen", "red old hen", "A {==red {++old ++}{>>1<<}hen==}{>>why<<} is."),
      ("red ", "", "A {=={--red --}{>>1<<}hen==}{>>why<<} is."),
      ("A red", "The blue", "{=={~~A red~>The blue~~}{>>1<<} hen==}{>>why<<} is."),
      ("hen is", "fox was", "A {==red {~~hen is~>fox was~~}{>>1<<}==}{>>why<<}."),
      ("A red hen is", "x", "{=={~~A red hen is~>x~~}{>>1<<}==}{>>why<<}."),
      ("A red hen", "", "{=={--A red hen--}{>>1<<}==}{>>why<<} is."),
      ("hen", "hen house", "A {==red hen==}{>>why<<}{++ house++}{>>1<<} is."),
      ("A ", "A very ", "A {++very ++}{>>1<<}{==red hen==}{>>why<<} is."),
    ]
  )
  func highlights(_ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed("A {==red hen==}{>>why<<} is.", [(old, new)]) == expected)
  }

  @Test(
    "Two highlights that an edit joins are one with the comments of both",
    arguments: [
      (
        "{==a b==}{>>1st<<} c {==d e==}{>>2nd<<}.",
        "{==a {~~b c d~>x~~}{>>1<<} e==}{>>1st<<}{>>2nd<<}."
      ),
      (
        "{==b==}{>>1st<<} c {==d e==}{>>2nd<<}.", "{=={~~b c d~>x~~}{>>1<<} e==}{>>1st<<}{>>2nd<<}."
      ),
      (
        "{==a b==}{>>1st<<} c {==d==}{>>2nd<<}.", "{==a {~~b c d~>x~~}{>>1<<}==}{>>1st<<}{>>2nd<<}."
      ),
      ("{==b==}{>>1st<<} c {==d==}{>>2nd<<}.", "{=={~~b c d~>x~~}{>>1<<}==}{>>1st<<}{>>2nd<<}."),
    ]
  )
  func joinedHighlights(_ text: String, _ expected: String) throws {
    #expect(try proposed(text, [("b c d", "x")]) == expected)
  }

  @Test(
    "The rest of a mark that an edit begins or ends in stays, with its comments",
    arguments: [
      ("{++a b++}{>>why<<} c.", "b c", "x", "{++a ++}{>>why<<}{~~ c~>x~~}{>>1<<}."),
      ("c {++a b++}{>>why<<}.", "c a", "x", "{~~c ~>x~~}{>>1<<}{++ b++}{>>why<<}."),
      ("{~~o~>a b~~} c.", "b c", "x", "{~~o~>a ~~}{~~ c~>x~~}{>>1<<}."),
      ("c {~~o~>a b~~}.", "c a", "x", "{~~c ~>x~~}{>>1<<}{~~o~> b~~}."),
      ("c {~~o~>a~~} d.", "c a d", "x", "{~~c o d~>x~~}{>>1<<}."),
      ("c {--a{>>n<<}--}d.", "c d", "x", "{~~c ad~>x~~}{>>1<<}{>>n<<}."),
      (
        "{~~B~>A~~} {=={~~p~>q~~}==}{>>why<<}.", "A q", "B p", "{==B p{>>1<<}==}{>>why<<}."
      ),
      ("a\n{--g--}{++h++}\nb", "h\nb", "b", "a\n{--g--}{--\n--}{>>1<<}b"),
      (
        "a\n\n```\nb\n```\n\nc", "```\nb\n```", "~~~\nx\n~~~",
        "a\n{~~\n```\nb\n```\n~>\n~~~\nx\n~~~\n~~}{>>1<<}\nc"
      ),
    ]
  )
  func cutMarks(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test(
    "What a person has signed stays theirs, and what is put into it is the proposer's",
    arguments: [
      ("two", "2", "{++one ++}{>>@ada<<}{++2++}{>>@ai: 1<<}{++ three++}{>>@ada: why<<}"),
      ("one", "1", "{++1++}{>>@ai: 1<<}{++ two three++}{>>@ada: why<<}"),
      ("three", "3", "{++one two ++}{>>@ada: why<<}{++3++}{>>@ai: 1<<}"),
      ("one two three", "x", "{++x++}{>>@ai: 1<<}{>>@ada: why<<}"),
      ("two ", "", "{++one three++}{>>@ada: why<<}{>>@ai: 1<<}"),
    ]
  )
  func signed(_ old: String, _ new: String, _ expected: String) throws {
    let text = "{++one two three++}{>>@ada: why<<}"
    #expect(try proposed(text, [(old, new)], by: "ai") == expected)
    #expect(
      try proposed(text.replacing("ada", with: "ai"), [("two", "2")], by: "ai")
        == "{++one 2 three++}{>>@ai: 1<<}{>>@ai: why<<}"
    )
    #expect(
      try proposed(text, [("one", "1"), ("three", "3")], by: "ai")
        == "{++1++}{>>@ai: 1<<}{++ two ++}{>>@ada: why<<}{++3++}{>>@ai: 2<<}"
    )
  }

  @Test(
    "The proposer's head comes first, so that the change is not somebody else's",
    arguments: [
      ("{~~red~>blue~~}{>>@ada: nicer<<}", "{~~red~>green~~}{>>@ai: 1<<}{>>@ada: nicer<<}"),
      ("{++a blue hen++}", "{++a green hen++}{>>@ai: 1<<}"),
      ("{++a blue hen++}{>>nicer<<}", "{++a green hen++}{>>@ai: 1<<}{>>nicer<<}"),
      ("blue{>>@ada: so?<<}", "{~~blue~>green~~}{>>@ai: 1<<}{>>@ada: so?<<}"),
      ("{==blue==}{>>@ada: so?<<}", "{=={~~blue~>green~~}{>>@ai: 1<<}==}{>>@ada: so?<<}"),
      ("{~~green~>blue~~}{>>@ada: nicer<<}", "green{>>@ai: 1<<}{>>@ada: nicer<<}"),
    ]
  )
  func heads(_ text: String, _ expected: String) throws {
    #expect(try proposed(text, [("blue", "green")], by: "ai") == expected)
  }

  @Test(
    "Edits of one paragraph, of one line and of one addition are changes or comments of their own",
    arguments: [
      (
        #"We set $\alpha$ and $\beta$."#, "alpha", "gamma", "beta", "delta",
        #"We set ${~~\alpha~>\gamma~~}{>>1<<}$ and ${~~\beta~>\delta~~}{>>2<<}$."#
      ),
      (
        "Use `a b` and `c d`.", "a b", "a x", "c d", "y d",
        "Use {~~`a b`~>`a x`~~}{>>1<<} and {~~`c d`~>`y d`~~}{>>2<<}."
      ),
      ("Use `a b`.", "a", "x", "b", "y", "Use {~~`a b`~>`x y`~~}{>>1<<}{>>2<<}."),
      ("{++a b c++}", "a", "x", "c", "y", "{++x b y++}{>>1<<}{>>2<<}"),
      (
        "Ca^2^ and x{#s1}.", "2", "3", "x", "y",
        "Ca{~~^2~>^3~~}{>>1<<}^ and {~~x{#s1}~>y{#s1}~~}{>>2<<}."
      ),
      (
        "a\n\n```\nb\n```\n\nc\n", "b", "x", "c", "y",
        "a\n{~~\n```\nb\n```\n~>\n```\nx\n```\n~~}{>>1<<}\n{~~c~>y~~}{>>2<<}\n"
      ),
    ]
  )
  func two(
    _ text: String,
    _ old1: String,
    _ new1: String,
    _ old2: String,
    _ new2: String,
    _ expected: String
  ) throws {
    #expect(try proposed(text, [(old1, new1), (old2, new2)]) == expected)
  }

  @Test(
    "Whole lines are put in and taken out as whole lines, as a comparison does",
    arguments: [
      ("## B\n", "## B", "## New\n\nText.\n\n## B", "{++## New\n\nText.\n\n++}{>>1<<}## B\n"),
      (
        "A.\n\n## B\n", "## B", "## New\n\nText.\n\n## B",
        "A.{++\n\n## New\n\nText.++}{>>1<<}\n\n## B\n"
      ),
      ("- apple\n- pear\n", "- pear", "- plum\n- pear", "- apple{++\n- plum++}{>>1<<}\n- pear\n"),
      ("- pear\n", "- pear", "- plum\n- pear", "{++- plum\n++}{>>1<<}- pear\n"),
      ("- plum\n- pear\n", "- plum\n- pear", "- pear", "{--- plum\n--}{>>1<<}- pear\n"),
      ("- a\n- ab\n- ac\n", "- ab\n- ac", "- ac", "- a{--\n- ab--}{>>1<<}\n- ac\n"),
      ("| a |\n| b |\n", "| b |", "| ba |\n| b |", "| a |{++\n| ba |++}{>>1<<}\n| b |\n"),
      ("an apple", "an apple", "an angry apple", "an {++angry ++}{>>1<<}apple"),
      ("---\nt: 1\n---\nA\n", "A", "B\nA", "---\nt: 1\n---\n{++B\n++}{>>1<<}A\n"),
    ]
  )
  func lines(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
    let crlf = try proposed(text.replacing("\n", with: "\r\n"), [(old, new)])
    #expect(crlf == expected.replacing("\n", with: "\r\n"))
  }

  @Test(
    "A line end means the text's own; of several kinds the one that is replaced, or that of the line",
    arguments: [
      ("One\r\ntwo\r\n", "One\ntwo", "One\nzwei", "One\r\n{~~two~>zwei~~}{>>1<<}\r\n"),
      ("One\r\ntwo", "One\r\ntwo", "1\r\n2", "{~~One\r\ntwo~>1\r\n2~~}{>>1<<}"),
      ("One\ntwo", "One\r\ntwo", "1\r\n2\n3", "{~~One\ntwo~>1\n2\n3~~}{>>1<<}"),
      ("One\rtwo", "One\ntwo", "1\n2", "{~~One\rtwo~>1\r2~~}{>>1<<}"),
      ("a\r\nb\nc\r\nd", "b\nc", "x\ny\nz", "a\r\n{~~b\nc~>x\ny\r\nz~~}{>>1<<}\r\nd"),
      ("a\nb\r\nc\n", "b", "x\ny", "a\n{~~b~>x\r\ny~~}{>>1<<}\r\nc\n"),
      ("one", "one", "1\n2", "{~~one~>1\n2~~}{>>1<<}"),
      ("b\r\nc\nd", "b", "x\ny\nz", "{~~b~>x\r\ny\r\nz~~}{>>1<<}\r\nc\nd"),
    ]
  )
  func lineEnds(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test(
    "Characters stay whole",
    arguments: [
      ("e\u{301}", "e\u{300}", "{~~e\u{301}~>e\u{300}~~}{>>1<<}"),
      ("👍🏽", "👍🏿", "{~~👍🏽~>👍🏿~~}{>>1<<}"), ("👩‍👧", "👩‍👦", "{~~👩‍👧~>👩‍👦~~}{>>1<<}"),
      ("👩", "👩‍👦", "{~~👩~>👩‍👦~~}{>>1<<}"),
    ]
  )
  func characters(_ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed("\(old)。", [(old, new)]) == "\(expected)。")
  }

  @Test(
    "Marks in the new text are refused with a hint, those in code are text",
    arguments: ["{++x++}", "a {--b--}", "{~~b~>c~~}", "{==b==}", "b{>>why<<}"]
  )
  func marksInNew(_ new: String) throws {
    #expect { try proposed("a b c", [("b", new)]) } throws: { error in
      "\(error)".contains("edit 1 (\"b\"): \"new\" has CriticMarkup in it")
        && "\(error)".contains("given as \"reason\"")
    }
    let text = try proposed("a b c", [("b", "`\(new)`")])
    #expect(text.hasPrefix("a {~~b~>`"))
  }

  @Test("Halves of delimiters mean themselves")
  func literal() throws {
    let new = "++} ~> <<} {-- {"
    let text = try proposed("a b c", [("b", new)])
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    #expect(String(decoding: reading.text(.clean, of: bytes), as: UTF8.self) == "a \(new) c")
    #expect(String(decoding: reading.text(.original, of: bytes), as: UTF8.self) == "a b c")
  }

  @Test("An edit that changes nothing is told, and the others are made")
  func idle() throws {
    let source = Array("one\r\ntwo".utf8)
    let edits = [("one\n", "one\r\n"), ("two", "2")]
    let outcome = try source.proposing(
      edits.map { Proposal(Citation(Array($0.0.utf8)), Array($0.1.utf8)) }
    )
    #expect(
      String(decoding: source.applying(outcome.edits), as: UTF8.self) == "one\r\n{~~two~>2~~}"
    )
    #expect(
      outcome.idle.description
        == "edit 1 (\"one…\"): \"old\" and \"new\" are the same; nothing is proposed"
    )
  }

  @Test(
    "An author is the head of the reason, or of a comment without a text; a reason is on one line"
  )
  func authors() throws {
    let source = Array("one two three".utf8)
    let proposals = [
      Proposal(
        Citation(Array("one".utf8)),
        Array("1".utf8),
        reason: Array("digits,\r\n  all".utf8)
      ),
      Proposal(Citation(Array("two".utf8)), Array("2".utf8)),
    ]
    let author = try #require(AuthorName("@Ada Byron"))
    let text = source.applying(try source.proposing(proposals, by: author).edits)
    #expect(
      String(decoding: text, as: UTF8.self)
        == "{~~one~>1~~}{>>@Ada_Byron: digits, all<<} {~~two~>2~~}{>>@Ada_Byron<<} three"
    )
    for name in ["", "@", "a|b", "a\nb", "a:", "{a", "<<}"] { #expect(AuthorName(name) == nil) }
    #expect(AuthorName("ai:model")?.name == "ai:model")
  }

  @Test(
    "What cannot be made is told with the lines of the file",
    arguments: [
      (
        "hen\n{--x--}\nhen", "hen", "fox",
        #"edit 1 ("hen"): "old" is at 2 places, on lines 1 and 3"#
      ),
      (
        String(repeating: "hen\n", count: 12), "hen", "fox",
        "at 12 places, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more;"
      ),
      ("{--a\n--}b", "a", "c", #"is not in the clean text; on line 1 of the file it is deleted"#),
      (
        "one\n\ntwo\nthree", "two three", "4",
        "not in the clean text; on line 3 it has other spaces"
      ),
      ("one", "two", "3", "not in the clean text; compare"),
      ("one", "", "3", "is empty; to add text"),
      ("---\ntitle: one\n---\n\nText", "one", "two", "in the front matter"),
      (
        "Text\n\n---\nAnnotations: 0,4 SHA-256 x\n@Ada: 0,4\n...\n", "0,4 SHA", "0,5 SHA",
        "in the annotations"
      ),
    ]
  )
  func failures(_ text: String, _ old: String, _ new: String, _ message: String) throws {
    #expect {
      try proposed(text, [(old, new)])
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test(
    "A comment on a piece of the text highlights it, or is on the change that it lies in",
    arguments: [
      ("a red hen", "a {==red==}{>>@ai: why<<} hen"),
      ("a {++red++} hen", "a {++red++}{>>@ai: why<<} hen"),
    ]
  )
  func comments(_ text: String, _ expected: String) throws {
    let source = Array(text.utf8)
    let red = Citation(Array("red".utf8))
    let edits = try source.edits(commentingOn: red, saying: Array("why".utf8), by: AuthorName("ai"))
    #expect(String(decoding: source.applying(edits), as: UTF8.self) == expected)
  }

  @Test(
    "No comment is written where there is none of it, several, or only metadata",
    arguments: [
      ("a hen", "not in the clean text"), ("red red", "at 2 places, on line 1"),
      ("---\na: red\n---\n", "in the front matter"),
    ]
  )
  func noComments(_ text: String, _ message: String) {
    #expect {
      try Array(text.utf8).edits(commentingOn: Citation(Array("red".utf8)), saying: [])
    } throws: {
      ($0 as? Review.Failure)?.description.contains(message) == true
    }
  }

  @Test("What stands beside it says which of several places is meant")
  func context() throws {
    let source = Array("a hen, the hen, one hen".utf8)
    func place(_ after: String, _ before: String) throws -> Int? {
      let old = Citation(Array("hen".utf8), after: Array(after.utf8), before: Array(before.utf8))
      return try source.proposing([Proposal(old, [])]).edits.first?.range.lowerBound
    }
    #expect(try place("the ", "") == 11)
    #expect(try place("", ", the") == 2)
    #expect(try place("one ", "") == 20)
    #expect { try place(" ", "") } throws: { "\($0)".contains("make longer \"after\"") }
    #expect { try place("two ", "") } throws: {
      "\($0)".contains("but nowhere with that \"after\"")
    }
  }

  @Test("Texts added at one place are in the order of what they were added to")
  func samePlace() throws {
    #expect(
      try proposed("ab.cd", [(".cd", "!.cd"), ("ab", "ab y")])
        == "ab{++ y++}{>>2<<}{++!++}{>>1<<}.cd"
    )
    #expect { try proposed("ab cd", [("ab cd", "ab x cd"), ("b c", "b y c")]) } throws: {
      "\($0)".contains("edit 2 (\"b c\"): it overlaps edit 1")
    }
  }

  @Test("Edits may cite the same text, as long as they change different parts of it")
  func sameContext() throws {
    #expect(
      try proposed(
        "The red hen sat.",
        [("The red hen", "The blue hen"), ("red hen sat", "red hen stood")]
      )
        == "The {~~red~>blue~~}{>>1<<} hen {~~sat~>stood~~}{>>2<<}."
    )
  }

  @Test(
    "The cost is that of the text and of the edits, however many there are and however long the lines"
  )
  func cost() throws {
    func steps(_ count: Int, _ separator: String, _ edit: (Int) -> (String, String)) throws -> Int {
      let text = (0..<count).map { "The hen number \($0) said $\\alpha$ and `a b` here." }
        .joined(separator: separator)
      let proposals = (0..<count).map { index in
        let (old, new) = edit(index)
        return Proposal(Citation(Array(old.utf8)), Array(new.utf8), reason: Array("why".utf8))
      }
      return try Array(text.utf8).proposing(proposals).steps
    }
    let edits: [(Int) -> (String, String)] = [
      { ("number \($0) said", "number \($0) told") },
      { ("hen number \($0) said $\\alpha$ and", "hen number \($0) said $\\beta$ or") },
      { ("number \($0) said $\\alpha$ and `a b`", "number \($0) said $\\alpha$ and `a c`") },
      { ("number \($0) said", "number \($0) said ++} {--") },
    ]
    for separator in [" ", "\n\n"] {
      for edit in edits {
        let few = try steps(100, separator, edit)
        let many = try steps(400, separator, edit)
        #expect(many < 6 * few, "\(separator.utf8.count) \(edit(1)) \(few) \(many)")
      }
    }
  }

  @Test("Edits that are at several places, or at none, cost no more")
  func costOfFailures() throws {
    func steps(_ count: Int) -> Int {
      var text = CitedText(
        VariantText(.clean, of: Array(String(repeating: "ab", count: 50 * count).utf8))
      )
      let queries = (0..<count).map {
        CitedText.Query(Citation(Array(String(repeating: "ab", count: 1 + $0 % 50).utf8)), "it")
      }
      _ = text.places(of: queries)
      return text.steps
    }
    #expect(steps(400) < 6 * steps(100))
  }

  // MARK: - Other forms

  private func clean(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: Reading(of: bytes).text(.clean, of: bytes), as: UTF8.self)
  }

  private func written(_ text: String, _ proposals: [Proposal]) throws -> String {
    let source = Array(text.utf8)
    return String(
      decoding: source.applying(try source.proposing(proposals).edits),
      as: UTF8.self
    )
  }

  @Test(
    "Text is put right behind or before a piece, which stays as it is",
    arguments: [
      (Proposal.Manner.followed, "hen", " house", "A {++b++} hen{++ house++} c hens."),
      (.preceded, "hen", "old ", "A {++b++} {++old ++}hen c hens."),
      (.followed, "b hen", "!", "A {++b++} hen{++!++} c hens."), (.followed, "c ", "c ", nil),
      (.followed, "hen", "", nil),
    ] as [(Proposal.Manner, String, String, String?)]
  )
  func beside(
    _ manner: Proposal.Manner,
    _ anchor: String,
    _ new: String,
    _ expected: String?
  ) throws {
    let text = "A {++b++} hen c hens."
    let place = Citation(Array(anchor.utf8), before: anchor == "hen" ? Array(" c".utf8) : [])
    let made = try written(text, [Proposal(place, Array(new.utf8), manner)])
    let old = clean(text)
    let at = try #require(old.firstRange(of: anchor))
    let end = manner == .followed ? at.upperBound : at.lowerBound
    #expect(clean(made) == old[..<end] + new + old[end...])
    if let expected { #expect(made == expected) }
    if new.isEmpty { #expect(made == text) }
  }

  @Test("Every place of a text is a change of its own, with the reason at each")
  func everywhere() throws {
    func made(_ text: String, _ old: String, _ new: String) throws -> String {
      let citation = Citation(Array(old.utf8))
      let proposal = Proposal(
        citation,
        Array(new.utf8),
        isEverywhere: true,
        reason: Array("why".utf8)
      )
      return try written(text, [proposal])
    }
    #expect(
      try made("hen {--hen--} {++hen++} s", "hen", "fox")
        == "{~~hen~>fox~~}{>>why<<} {--hen--} {++fox++}{>>why<<} s"
    )
    #expect(try made("one hen", "hen", "fox") == "one {~~hen~>fox~~}{>>why<<}")
    #expect(clean(try made("banana", "ana", "x")) == "bxna")
    #expect { try made("one", "hen", "fox") } throws: { "\($0)".contains("not in the clean text") }
  }

  @Test("Lines stand for the text in them, or say where it is")
  func inLines() throws {
    let text = "a hen\n\nb hen {++hen++}\r\nc\n"
    func made(_ lines: ClosedRange<Int>, _ old: String, _ new: String) throws -> String {
      try written(text, [Proposal(Citation(Array(old.utf8), lines: lines), Array(new.utf8))])
    }
    #expect(try made(1...1, "hen", "fox") == text.replacing("a hen", with: "a {~~hen~>fox~~}"))
    #expect(try made(4...4, "", "d") == text.replacing("c\n", with: "{~~c~>d~~}\n"))
    #expect(clean(try made(1...3, "", "x")) == "x\r\nc\n")
    #expect(clean(try made(2...2, "", "x\n")).hasPrefix("a hen\nx\n\nb"))
    for (lines, old, problem) in [
      (3...3, "hen", "\"old\" is at 2 places in lines 3 to 3"),
      (
        4...4, "hen",
        "\"old\" is not in lines 4 to 4 of the clean text; in the file it is at 3 places"
      ),
      (1...5, "", "the clean text has only 4 lines"),
      (2...4, "fox", "\"old\" is not in lines 2 to 4 of the clean text; compare"),
    ] {
      #expect { try made(lines, old, "x") } throws: {
        "\($0)".contains(problem)
      }
    }
  }

  @Test(
    "A text that is spelled otherwise is told as it is spelled",
    arguments: [
      ("It’s “so”.", "it's \"so\"", "It’s “so”"), ("One — two", "one -- two", "One — two"),
      ("Well… no", "well... no", "Well… no"), ("A HEN", "a hen", "A HEN"),
      ("Zu\u{AD}cker ist", "zucker", "Zu\u{AD}cker"),
      ("Ünder the\u{A0}Tree", "ünder the tree", "Ünder the\u{A0}Tree"),
    ]
  )
  func near(_ text: String, _ old: String, _ spelled: String) {
    #expect { try proposed("x\n\(text)\n", [(old, "y")]) } throws: {
      "\($0)".contains("is not in the clean text; on line 2 it is spelled “\(spelled)”")
    }
  }

  @Test("If that is asked for, the edits that can be made are made, and the others are told")
  func partial() throws {
    let source = Array("one two three two".utf8)
    let proposals = [("one", "1"), ("four", "4"), ("two", "2"), ("three", "3"), ("e three", "x")]
      .map { Proposal(Citation(Array($0.0.utf8)), Array($0.1.utf8)) }
    let outcome = try source.proposing(proposals, isPartial: true)
    #expect(
      String(decoding: source.applying(outcome.edits), as: UTF8.self)
        == "{~~one~>1~~} two {~~three~>3~~} two"
    )
    #expect(outcome.count == 2)
    #expect(outcome.left.problems.keys.sorted() == [1, 2, 4])
    #expect(outcome.left.lines[0].hasPrefix("edit 2 (\"four\"): "))
    #expect { try source.proposing([proposals[1]], isPartial: true) } throws: {
      "\($0)".contains("edit 1 (\"four\")")
    }
    #expect { try source.proposing(proposals) } throws: { "\($0)".contains("edit 3 (\"two\")") }
  }

  @Test("Edits that overlap are refused, and every edit with which something is wrong is told")
  func overlaps() {
    #expect {
      try proposed("one two three", [("two three", "2 3"), ("one two", "1 2"), ("four", "4")])
    } throws: { error in
      let lines = "\(error)".split(separator: "\n")
      return lines.count == 1 && lines[0].hasPrefix(#"edit 3 ("four")"#)
        || lines.count == 2 && lines[0].contains("edit 2 (\"one two\"): it overlaps edit 1")
    }
  }
}

@Suite("Proposals for random texts", .timeLimited) struct ProposalPropertyTests {
  private static let plain = [
    "{++a b++}", "{--c d--}", "{~~e~>f g~~}", "{==h==}", "{>>@ada: i<<}", "word", "\n\n", "x", " ",
    " ", "é", "語", ".",
    "{--g--}{++h++}", "\n", "- ", "{==j k==}{>>@bob: l<<}", "{++m n o++}{>>@ada<<}",
    "{==p {--q--} r==}",
  ]
  private static let hostile =
    plain + ["{++", "++}", "--}", "{~~", "~>", "`", "<<}", "{>>", "}", "```\n", "{", "`x`"]

  /// Proposes replacements at random places of the clean text, each told by all that stands around it.
  private func propose(
    _ parts: [String],
    _ seed: UInt64,
    _ words: [String],
    as language: Language
  ) -> (
    source: [UInt8], old: [(range: Range<Int>, new: [UInt8])], result: Result<[UInt8], any Error>
  ) {
    var random = Seeded(seed: seed)
    let ends = ["\n", "\r\n"].randomElement(using: &random) ?? ""
    let source = Array(parts.map { $0.replacing("\n", with: ends) }.joined().utf8)
    let clean = Reading(of: source, as: language).text(.clean, of: source)
    var edits: [(range: Range<Int>, new: [UInt8])] = []
    // The text that each cites, beside which text is put by some.
    var cited: [(range: Range<Int>, manner: Proposal.Manner)] = []
    var at = 0
    while let start = (at..<max(at, clean.count)).randomElement(using: &random), edits.count < 4 {
      var range = start..<min(clean.count, start + Int.random(in: 1...6, using: &random))
      while !isBoundary(clean[...], range.lowerBound) {
        range = range.lowerBound - 1..<range.upperBound
      }
      while !isBoundary(clean[...], range.upperBound) {
        range = range.lowerBound..<range.upperBound + 1
      }
      guard range.lowerBound >= at else { break }
      let word = words.randomElement(using: &random) ?? ""
      let new = Array(
        (clean.contains(Ascii.newline) ? word.replacing("\n", with: ends) : word).utf8
      )
      let manner = [Proposal.Manner.replaced, .replaced, .followed].randomElement(using: &random)
      if manner == .followed, !new.isEmpty {
        edits.append((range.upperBound..<range.upperBound, new))
        cited.append((range, .followed))
      } else if new != Array(clean[range]) {
        edits.append((range, new))
        cited.append((range, .replaced))
      }
      at = range.upperBound
    }
    let author = [nil, AuthorName("ai")].randomElement(using: &random) ?? nil
    let proposals = zip(edits, cited).enumerated().map { index, edit in
      let range = edit.1.range
      let old = Citation(
        Array(clean[range]),
        after: Array(clean[..<range.lowerBound]),
        before: Array(clean[range.upperBound...])
      )
      return Proposal(old, edit.0.new, edit.1.manner, reason: Array("reason \(index)".utf8))
    }
    let result = Result { () throws -> [UInt8] in
      let shuffled = proposals.shuffled(using: &random)
      return source.applying(try source.proposing(shuffled, as: language, by: author).edits)
    }
    return (source, edits, result)
  }

  private func broken(
    _ parts: [String],
    _ seed: UInt64,
    _ words: [String],
    as language: Language = .markdown,
    mayFail: Bool
  ) -> String? {
    let (source, edits, result) = propose(parts, seed, words, as: language)
    guard case .success(let bytes) = result else {
      return mayFail ? nil : "\(String(decoding: source, as: UTF8.self)): \(edits) \(result)"
    }
    let (old, new) = (Reading(of: source, as: language), Reading(of: bytes, as: language))
    let text = String(decoding: bytes, as: UTF8.self)
    let clean = old.text(.clean, of: source)
    let meant = clean.applying(edits.map { Edit($0.range, $0.new) })
    if new.text(.clean, of: bytes) != meant { return "\(text) has another clean text" }
    if new.text(.original, of: bytes) != old.text(.original, of: source) {
      return "\(text) has another original"
    }
    let comments = new.marks.filter { $0.kind == .comment }.map { Array(bytes[$0.content]) }
    for (index, edit) in edits.enumerated() {
      let said = ["reason \(index)", "@ai: reason \(index)"].map { Array($0.utf8) }
      guard comments.count(where: said.contains) == 1 else {
        return "\(text) does not have reason \(index) once"
      }
      let change = new.changes.first { change in
        change.thread.contains { said.contains(Array(bytes[$0.content])) }
      }
      if let change, change.kind.isChange, comments.contains(said[1]),
        !Edit(edit.range, edit.new).trimmed(replacing: clean[edit.range]).new.isEmpty,
        change.author(in: bytes) != "ai"
      {
        return "\(text) says that edit \(index) is by another"
      }
    }
    func count(_ kind: MarkKind, _ reading: Reading, of bytes: [UInt8]) -> Int {
      // An empty comment can be a part of a spelling that nothing misreads.
      reading.marks.count {
        $0.kind == kind && !$0.content.isEmpty && !$0.isAttribution(in: bytes)
      }
    }
    if count(.comment, new, of: bytes) != count(.comment, old, of: source) + edits.count {
      return "\(text) has lost a comment"
    }
    if count(.highlight, new, of: bytes) > count(.highlight, old, of: source) {
      return "\(text) has split a highlight"
    }
    // Marks that no edit reaches into are there still, in their order.
    let content = content(of: source, as: language)
    var places: [Int: Int] = [:]
    var inClean = 0
    for character in content {
      for offset in character { places[offset] = inClean + offset - character.lowerBound }
      inClean += character.count
    }
    var rest = bytes[...]
    for index in old.topLevel {
      let mark = old.marks[index]
      let held = mark.range.compactMap { places[$0] }
      let before = (0..<mark.start).compactMap { places[$0] }.max() ?? -1
      let isReached = edits.contains { edit in
        let start = edit.range.lowerBound
        return held.contains(where: edit.range.contains)
          // Text beside a word is one word with it.
          || edit.range.isEmpty && (held.contains(start) || held.contains(start - 1))
          || held.isEmpty && edit.range.contains(before) && edit.range.contains(before + 1)
      }
      if isReached { continue }
      guard let place = rest.firstRange(of: source[mark.range]) else {
        return "\(text) has lost \(String(decoding: source[mark.range], as: UTF8.self))"
      }
      rest = rest[place.upperBound...]
    }
    return nil
  }

  @Test(
    "Accepting gives the edits, rejecting what it gave before, and other marks keep their bytes"
  )
  func exact() {
    let words = ["", "new", "two words", "é", "\n", " ", "\n\nmore\n\n"]
    forAll(
      runs(1500),
      step: { Self.plain.randomElement(using: &$0) ?? "" },
      law: { seed, parts in broken(parts, seed, words, mayFail: false) }
    )
  }

  @Test(
    "So it is in texts full of delimiters and code, or nothing is written",
    arguments: Language.allCases
  )
  func hostile(_ language: Language) {
    let signs = language == .markdown ? [] : LanguageTests.signs(of: language)
    let words = ["", "{++x++}", "~>", "`", "new", "--}", "{>>y<<}", "```\n"] + signs
    let parts = Self.hostile + signs
    forAll(
      runs(1500),
      step: { parts.randomElement(using: &$0) ?? "" },
      law: { seed, parts in broken(parts, seed, words, as: language, mayFail: true) }
    )
  }
}
