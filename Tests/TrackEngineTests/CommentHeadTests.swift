import TestSupport
import Testing
import TrackEngine

@Suite("What a comment begins with", .timeLimited) struct CommentHeadTests {
  @Test(
    "A comment is resolved if it says so first, whatever it is about",
    arguments: [
      // Content, author, category, body, whether it is resolved.
      ("[resolved] flat", nil, nil, "flat", true), ("@ada: [Resolved]", "ada", nil, "", true),
      ("@ada | 2026-11-22 | [RESOLVED]\n[tone] flat", "ada", "tone", "flat", true),
      ("[tone] [resolved] flat", nil, "tone", "[resolved] flat", false),
      ("[resolved](link)", nil, nil, "[resolved](link)", false),
      ("[resolved]ly", nil, nil, "ly", true), ("resolved", nil, nil, "resolved", false),
    ] as [(String, String?, String?, String, Bool)]
  )
  func resolved(
    _ content: String,
    _ author: String?,
    _ category: String?,
    _ body: String,
    _ isResolved: Bool
  ) {
    let bytes = Array(content.utf8)
    let head = CommentHead(of: bytes[...])
    #expect(head.author == author)
    #expect(head.category == category)
    #expect(String(decoding: bytes[head.body], as: UTF8.self) == body)
    #expect(head.isResolved == isResolved)
    #expect(head.tags == (isResolved ? ["resolved"] : []) + (category.map { [$0] } ?? []))
    #expect(!head.isAttribution)
  }

  @Test(
    "Who wrote it, when, what it is about, and what it says",
    arguments: [
      // Content, author, date, category, body.
      ("@anna", "anna", nil, nil, ""), (" @anna ", "anna", nil, nil, ""),
      ("@anna:", "anna", nil, nil, ""), ("@anna | ", "anna", nil, nil, ""),
      ("@anna | 2026-11-22: ", "anna", "2026-11-22", nil, ""), ("@anna: ", "anna", nil, nil, ""),
      ("@anna: clearer", "anna", nil, nil, "clearer"),
      ("@anna:\nclearer", "anna", nil, nil, "clearer"),
      ("@anna | 2026-11-22", "anna", "2026-11-22", nil, ""),
      ("@anna | 2026-11-22 | clearer", "anna", "2026-11-22", nil, "clearer"),
      ("@anna | 2026-11-22: clearer", "anna", "2026-11-22", nil, "clearer"),
      ("@anna | 2026-11-22 09:30 | a | b", "anna", "2026-11-22 09:30", nil, "a | b"),
      ("@anna | 2026-11-22T09:30:05.12Z", "anna", "2026-11-22T09:30:05.12Z", nil, ""),
      ("@anna | 2026-11-22T09:30+02:00: a", "anna", "2026-11-22T09:30+02:00", nil, "a"),
      ("@anna | 2026-11-22T09:30:05.: a", "anna", nil, nil, "2026-11-22T09:30:05.: a"),
      ("@anna | clearer", "anna", nil, nil, "clearer"),
      ("@anna: 2026-11-22 | clearer", "anna", nil, nil, "2026-11-22 | clearer"),
      ("@anna | 2026-11-22 clearer", "anna", nil, nil, "2026-11-22 clearer"),
      ("@anna | [tone] flat", "anna", nil, "tone", "flat"),
      ("@anna: [tone]", "anna", nil, "tone", ""),
      ("[tone] flat", nil, nil, "tone", "flat"), ("[a](b)", nil, nil, nil, "[a](b)"),
      ("@Ada_Byron: a", "Ada Byron", nil, nil, "a"), ("@Ada Byron: a", "Ada Byron", nil, nil, "a"),
      ("@ai:claude", "ai:claude", nil, nil, ""), ("@ai:claude: a", "ai:claude", nil, nil, "a"),
      ("@ai:gpt-4.1 | 2026-11-22", "ai:gpt-4.1", "2026-11-22", nil, ""),
      ("@Zoë: a", "Zoë", nil, nil, "a"),
      // What is said to somebody, or to nobody.
      ("@anna could you see: a", nil, nil, nil, "@anna could you see: a"),
      ("@anna?", nil, nil, nil, "@anna?"), ("@anna, yes", nil, nil, nil, "@anna, yes"),
      ("@anna |a", nil, nil, nil, "@anna |a"), ("@Ada Byron", nil, nil, nil, "@Ada Byron"),
      ("@", nil, nil, nil, "@"), ("@: a", nil, nil, nil, "@: a"),
      ("a @anna: b", nil, nil, nil, "a @anna: b"),
      ("", nil, nil, nil, ""),
    ] as [(String, String?, String?, String?, String)]
  )
  func parts(
    _ content: String,
    _ author: String?,
    _ date: String?,
    _ category: String?,
    _ body: String
  ) {
    let bytes = Array(content.utf8)
    let head = CommentHead(of: bytes[...])
    #expect(head.author == author)
    #expect(head.date == date)
    #expect(head.category == category)
    #expect(String(decoding: bytes[head.body], as: UTF8.self) == body)
    let isBegun = content.contains(": ") || content.hasSuffix(":") || content.hasSuffix("| ")
    #expect(!head.isResolved)
    #expect(head.isAttribution == (author != nil && category == nil && body.isEmpty && !isBegun))
  }

  @Test(
    "A change is by the first in its thread, and commented where something is said",
    arguments: [
      ("{++a++}", nil, nil, [], false), ("{++a++}{>>@anna<<}", "anna", nil, ["anna"], false),
      ("{++a++}{>>@anna | 2026-11-22<<}{>>@bo: no<<}", "anna", "2026-11-22", ["anna", "bo"], true),
      ("{++a++}{>>no<<}{>>@bo<<}", nil, nil, ["bo"], true),
      ("{++a++}{>>@bo: no<<}{>>@bo: yes<<}", "bo", nil, ["bo"], true),
      ("{++a++}{>><<}", nil, nil, [], true),
      ("{>>@bo: no<<}", "bo", nil, ["bo"], true), ("{>>@bo<<}", "bo", nil, ["bo"], false),
    ] as [(String, String?, String?, [String], Bool)]
  )
  func changes(
    _ text: String,
    _ author: String?,
    _ date: String?,
    _ authors: [String],
    _ isCommented: Bool
  ) throws {
    let bytes = Array(text.utf8)
    let change = try #require(Reading(of: bytes).changes.first)
    #expect(change.author(in: bytes) == author)
    #expect(change.date(in: bytes) == date)
    #expect(change.authors(in: bytes) == authors)
    #expect(change.isCommented(in: bytes) == isCommented)
  }

  @Test(
    "A thread is resolved if its first comment says so, whoever answers, and all that tell of it agree",
    arguments: [
      ("{++a++}{>>[resolved] b<<}{>>c<<}", true),
      ("{==a==}{>>@x: [Resolved] b<<}{>>@y: c<<}", true),
      ("{>>@x | 2026-01-02 | [resolved] b<<}{>>c<<}", true),
      ("{++a++}{>>@x<<}{>>@y: [resolved]<<}{>>@z<<}{>>c<<}", true),
      ("{>>@x<<}{>>[resolved] b<<}{>>c<<}", true), ("{--a--}{>>[resolved] [tone] b<<}", true),
      ("{++a++}{>>b<<}{>>[resolved] c<<}", false), ("{++a++}{>>@x<<}{>>b [resolved]<<}", false),
      ("{++a++}{>>b<<}{>>[resolved]<<}{>>c<<}", false), ("{>>b<<}{>>@x: [resolved] c<<}", false),
      ("{++a++}{>>@x<<}", nil), ("{>>@x<<}", nil), ("{++a++}", nil),
    ] as [(String, Bool?)]
  )
  func resolved(_ text: String, _ isResolved: Bool?) throws {
    let bytes = Array(text.utf8)
    let change = try #require(Reading(of: bytes).changes.first)
    #expect(change.isResolved(in: bytes) == (isResolved ?? false))
    let tracker = Tracker(Text(bytes))
    #expect(tracker.counts.resolved == (isResolved == true ? 1 : 0))
    #expect(tracker.counts.open == (isResolved == false ? 1 : 0))
    var filter = ChangeFilter()
    filter.isOpen = true
    #expect(filter.chosen(among: [change], in: bytes).isEmpty == (isResolved != false))
    // What is resolved and opened again by commands is so, too, and what is said by a command opens it.
    guard let place = change.thread.last?.start, isResolved != nil else { return }
    let saysNoMore = change.thread.map { CommentHead(of: bytes[$0.content]) }
      .contains { $0.isResolved && $0.text.isEmpty }
    #expect(Review(tracker).isResolved(at: place + 1..<place + 1) == isResolved)
    let actions: [Review.Action] = [
      .resolveThread(place + 1..<place + 1, isResolved != true),
      .comment(place + 1..<place + 1, [0x64]),
    ]
    for action in actions {
      let edits = try Review(tracker).edits(for: action)
      let after = bytes.applying(edits)
      let found = try #require(Reading(of: after).changes.first)
      let isSaid = if case .comment = action { true } else { false }
      #expect(found.isResolved(in: after) == (isSaid ? false : isResolved == false))
      // One that says no more than that it is resolved goes.
      let goes = isSaid && isResolved == true && saysNoMore
      #expect(found.thread.count == change.thread.count + (isSaid ? 1 : 0) - (goes ? 1 : 0))
    }
  }
}
