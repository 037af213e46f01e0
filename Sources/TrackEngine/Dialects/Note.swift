/// What is said of a change, a highlight or nothing in particular, whichever tool has written it.
struct Note {
  /// The marks that it is about, which touch; none for comments that stand alone.
  var marks: [Mark]
  /// Who made them and when.
  var attribution = Attribution()
  /// The comments of the thread, in order.
  var comments: [Said] = []
  /// From the first mark to the last comment.
  var range: Range<Int>
  /// The dialects in which it is written.
  var dialects: Set<Dialect> = []
  /// The ids of the footnotes that its marks refer to.
  var footnotes: Set<[UInt8]> = []
  /// The ids that Roughdraft has given to its marks.
  var ids: [String] = []
  /// What no other dialect can say.
  var losses: [Loss.What] = []
  /// Whether several tools have said something of one mark.
  var isMixed = false
  /// Whether it is inside another mark.
  var isNested = false

  /// The kind of its marks.
  var kind: MarkKind { marks.first?.kind ?? .comment }
}

/// A comment: who says what, and when.
struct Said: Equatable {
  var author: String?
  var date: String?
  var text: [UInt8] = []

  /// The text without leading white space, which does not follow a head.
  var body: ArraySlice<UInt8> { text[...].drop(while: \.isWhiteSpace) }
}

extension Note {
  /// A mark or a comment as a reader sees it.
  struct Line: Equatable {
    var kind: MarkKind
    var said: Said
  }

  /// What a reader sees of it.
  var lines: [Line] {
    let signed = Said(author: attribution.author, date: attribution.date)
    return marks.map { Line(kind: $0.kind, said: signed) }
      + comments.map { Line(kind: .comment, said: $0) }
  }
}
