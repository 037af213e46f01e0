/// Comments that follow each other, as they are written.
struct CommentThread {
  /// A comment, and when it was written.
  struct Comment {
    /// The mark.
    let bytes: [UInt8]
    /// In seconds since 1970; where it has no date, that of the comment before it.
    let time: Int64
  }

  /// The comments, in order.
  fileprivate(set) var comments: [Comment] = []

  /// No comments.
  init() {}

  /// The comments of a text that are in no other comment.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - language: Its language.
  init(allOf bytes: [UInt8], as language: Language) {
    self.init(Reading(of: bytes, as: language).comments(in: bytes.indices), in: bytes)
  }

  /// A comment that has no date.
  init(undated bytes: [UInt8]) { comments = [Comment(bytes: bytes, time: 0)] }

  /// Some comments of a text.
  ///
  /// - Parameters:
  ///   - marks: The comments.
  ///   - bytes: The text.
  init(_ marks: [Mark], in bytes: [UInt8]) {
    for mark in marks {
      let date = mark.attribution(in: bytes, nil).date
      let time = date?.secondsSince1970 ?? comments.last?.time ?? 0
      comments.append(Comment(bytes: Array(bytes[mark.range]), time: time))
    }
  }
}

extension CommentThread {
  /// The comments as they are written.
  var bytes: [UInt8] { comments.flatMap(\.bytes) }

  /// The comments without some.
  func filter(_ isMeant: (Comment) -> Bool) -> CommentThread {
    var thread = self
    thread.comments = comments.filter(isMeant)
    return thread
  }
}

extension [CommentThread] {
  /// The comments of all of them in one, in order of date; those without a date stay behind the one before them.
  ///
  /// - Parameter base: The thread that all were made of: what one of them lacks has been removed there.
  /// - Returns: The thread, in which each comment is once.
  func joined(since base: CommentThread? = nil) -> CommentThread {
    var known: Set<[UInt8]> = []
    let removed = Set(base?.comments.map(\.bytes) ?? []).filter { comment in
      !allSatisfy { $0.comments.contains { $0.bytes == comment } }
    }
    var thread = CommentThread()
    thread.comments = flatMap(\.comments).filter {
      !removed.contains($0.bytes) && known.insert($0.bytes).inserted
    }.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
    return thread
  }
}

extension ArraySlice<UInt8> {
  /// Whether it is nothing but comments, at least one.
  func isOfComments(as language: Language) -> Bool {
    guard starts(with: MarkKind.comment.opener) else { return false }
    let marks = Reading(of: Array(self), as: language).topMarks
    return marks.allSatisfy { $0.kind == .comment }
      && marks.reduce(0) { $0 + $1.range.count } == count
  }
}
