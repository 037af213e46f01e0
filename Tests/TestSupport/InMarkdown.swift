public import TrackEngine

// In the tests, a text whose language is not given is Markdown.

extension Reading {
  /// Reads Markdown.
  public init(of bytes: [UInt8]) {
    self.init(of: bytes, as: .markdown)
  }
}

extension Tracker {
  /// Tracks Markdown.
  public init(_ buffer: Text, isTracking: Bool = true) {
    self.init(buffer, isTracking: isTracking, options: Options())
  }
}

extension Tracker.Options {
  /// How Markdown is tracked.
  public init(tracksFrontMatter: Bool = false, attribution: Attribution? = nil) {
    self.init(.markdown, tracksFrontMatter: tracksFrontMatter, attribution: attribution)
  }
}

extension [UInt8] {
  /// Puts proposals into the marks of Markdown.
  public func proposing(
    _ proposals: [Proposal],
    by author: AuthorName? = nil,
    isPartial: Bool = false
  ) throws(Proposal.Failure) -> Proposal.Outcome {
    try proposing(proposals, as: .markdown, by: author, isPartial: isPartial)
  }

  /// Records what became of the clean text of Markdown.
  public func edits(recordingClean clean: [UInt8], by author: AuthorName? = nil) -> [Edit]? {
    edits(recordingClean: clean, as: .markdown, by: author)
  }

  /// Comments on a piece of the clean text of Markdown.
  public func edits(
    commentingOn citation: Citation,
    saying comment: [UInt8],
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    try edits(commentingOn: citation, saying: comment, as: .markdown, by: author)
  }

  /// Comments on a change of Markdown.
  public func edits(
    commentingOnChange number: Int,
    saying comment: [UInt8],
    by author: AuthorName? = nil
  ) throws(Review.Failure) -> [Edit] {
    try edits(commentingOnChange: number, saying: comment, as: .markdown, by: author)
  }

  /// A variant of Markdown with a record of its changes.
  public func exported(_ variant: Variant, recordedOn date: String) -> [UInt8]? {
    exported(variant, as: .markdown, recordedOn: date)
  }
}

extension Decision {
  /// What became of each change of Markdown.
  public static func all(of proposed: [UInt8], in final: [UInt8]) -> [Decision] {
    all(of: proposed, in: final, as: .markdown)
  }
}

extension Carrying {
  /// Carries the marks of Markdown.
  public init(of old: [UInt8], onto new: [UInt8]) {
    self.init(of: old, onto: new, Options())
  }
}

extension Carrying.Options {
  /// How the marks of Markdown are carried.
  public init() {
    self.init(.markdown)
  }
}

extension MarkLoss {
  /// Compares two texts of Markdown.
  public init(of old: [UInt8], in new: [UInt8]) {
    self.init(of: old, in: new, as: .markdown)
  }

  /// Whether few of the marks of Markdown are left.
  public static func isLost(_ old: [UInt8], in new: [UInt8]) -> Bool {
    isLost(old, in: new, as: .markdown)
  }
}

extension DialectConversion {
  /// Converts Markdown.
  public init(of bytes: [UInt8], to dialect: Dialect) {
    self.init(of: bytes, as: .markdown, to: dialect)
  }
}

extension TextSurvey {
  /// Begins a text in Markdown.
  public init(count: Int, findsMalformed: Bool) {
    self.init(count: count, language: .markdown, findsMalformed: findsMalformed)
  }
}

/// Marks up what differs between two texts of Markdown.
public func comparison(of old: [UInt8], and new: [UInt8], author: AuthorName? = nil) -> [UInt8] {
  comparison(of: old, and: new, as: .markdown, author: author)
}

extension Projection {
  /// Projects a record in Markdown.
  public init(record: Text) {
    self.init(record: record, options: Tracker.Options())
  }
}

extension TwoHands {
  /// Brings two texts of Markdown together.
  public init(_ writer: [UInt8], _ program: [UInt8], of old: [UInt8]) {
    self.init(writer, program, of: old, as: .markdown)
  }
}

extension Combination {
  /// Combines copies of Markdown.
  public init(of copies: [Copy], from base: [UInt8]) {
    self.init(of: copies, from: base, as: .markdown)
  }
}

extension Merge {
  /// Merges two versions of Markdown.
  public init(of ours: [UInt8], and theirs: [UInt8], from base: [UInt8], _ names: Names) {
    self.init(of: ours, and: theirs, from: base, as: .markdown, names)
  }
}

extension TaughtText {
  /// The changes that stand in Markdown.
  public static func standing(in bytes: [UInt8]) -> TaughtText {
    standing(in: bytes, as: .markdown)
  }

  /// What two versions of Markdown teach.
  public static func between(
    _ earlier: [UInt8],
    _ later: [UInt8],
    by author: String?
  ) -> [TaughtText] {
    between(earlier, later, as: .markdown, by: author)
  }
}

extension StandingWords {
  /// Counts in Markdown.
  public func counts(in bytes: [UInt8]) -> [Int] {
    counts(in: bytes, as: .markdown)
  }
}

extension [Edit] {
  /// The edits that make one Markdown of another.
  public init(making new: [UInt8], of old: [UInt8]) {
    self.init(making: new, of: old, as: .markdown)
  }
}

/// Puts recorded changes of Markdown into marks.
public func marked(
  _ changes: [RecordedChange],
  from original: [UInt8],
  to clean: [UInt8]
) -> [UInt8] {
  marked(changes, from: original, to: clean, as: .markdown)
}

/// Writes threads of comments into Markdown.
public func remarking(
  _ remarks: [Remark],
  on marked: [UInt8]
) -> (text: [UInt8], narrowed: Int, left: Int) {
  remarking(remarks, on: marked, as: .markdown)
}
