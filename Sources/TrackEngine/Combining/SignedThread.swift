/// The comments behind a change that several people made, and their names.
struct SignedThread {
  /// The comment that names who made it, if one does.
  private var first: [UInt8] = []
  /// The names of others that made the same change.
  private var names: [UInt8] = []
  private var rest: CommentThread

  /// The comments of all that made the change.
  ///
  /// - Parameters:
  ///   - threads: Those of each; the first one begins with the name of its author, if anybody is named.
  ///   - base: The thread that all were made of; nil if there is none.
  init(_ threads: [CommentThread], since base: CommentThread?) {
    rest = threads.joined(since: base)
    guard let head = threads.first?.comments.first, head.head.author != nil,
      rest.comments.contains(where: { $0.bytes == head.bytes })
    else { return }
    first = head.bytes
    rest = rest.filter { $0.bytes != head.bytes }
  }

  /// Names those who made the change.
  ///
  /// - Parameters:
  ///   - heads: Who they are, as the head of a comment says it.
  ///   - isSigned: Whether the first of them is named already.
  mutating func sign(by heads: [[UInt8]], isSigned: Bool) {
    // Only names of the others stand alone.
    rest = rest.filter { !$0.head.isAttribution }
    var known: [[UInt8]] = []
    for (index, head) in heads.enumerated() where !known.contains(head) {
      known.append(head)
      if index > 0 || !isSigned { add(head) }
    }
  }

  private mutating func add(_ head: [UInt8]) {
    names += MarkKind.comment.around(Array("@".utf8) + head)
  }

  /// Adds a comment.
  mutating func add(_ text: String, by head: [UInt8]) {
    let content = Array("@".utf8) + head + Array(": \(text)".utf8)
    add(CommentThread(undated: MarkKind.comment.around(content)))
  }

  /// Adds comments, each in its place by date.
  mutating func add(_ thread: CommentThread) { rest = [rest, thread].joined() }

  /// The comments as they are written.
  var bytes: [UInt8] { first + names + rest.bytes }
}

extension CommentThread.Comment {
  /// Who wrote it, and when.
  var head: CommentHead { CommentHead(of: bytes.dropFirst(3).dropLast(3)) }
}
