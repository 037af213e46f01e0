/// The comments of a text as Word has them: their ranges in the text, and the parts that hold what they say.
struct DocxComments {
  private struct Comment {
    var said: DocxStretch.Comment
    var id: Int
    /// The identifier of the comment that it answers.
    var parent: Int?
  }

  /// The comments of each stretch that has some, by its number.
  private var threads: [Int: [Comment]] = [:]
  private(set) var count = 0

  init(_ stretches: [DocxStretch]) {
    for (number, stretch) in stretches.enumerated() {
      guard case .thread(let said) = stretch.kind else { continue }
      var first: Int?
      for comment in said {
        // Threads that touch are one in Markdown, and a thread is resolved in its first comment.
        if comment.isResolved { first = nil }
        threads[number, default: []].append(Comment(said: comment, id: count, parent: first))
        first = first ?? count
        count += 1
      }
    }
  }

  /// What stands where the text of a thread begins.
  func start(of number: Int) -> [XML] {
    threads[number, default: []].map { XML("w:commentRangeStart", [("w:id", String($0.id))]) }
  }

  /// What stands where it ends: by comment, or else LibreOffice shows the last one first.
  func end(of number: Int) -> [XML] {
    threads[number, default: []].flatMap { comment in
      let id = [("w:id", String(comment.id))]
      return [
        XML("w:commentRangeEnd", id), XML("w:r", [], [XML("w:commentReference", id)]),
      ]
    }
  }

  // MARK: Parts

  private var all: [Comment] { threads.values.joined().sorted { $0.id < $1.id } }

  /// What the comments say, who wrote them, and when.
  var comments: XML {
    XML(
      "w:comments",
      DocxComments.namespaces,
      all.map { comment in
        let attributes = [("w:id", String(comment.id))] + comment.said.origin.attributes
        let paragraphs = comment.said.paragraphs
        let content = paragraphs.enumerated().map { index, text in
          let isLast = index == paragraphs.count - 1
          let sign = index == 0 ? [XML("w:r", [], [XML("w:annotationRef")])] : []
          let run = XML("w:r", [], [XML("w:t", [("xml:space", "preserve")], text: text)])
          return XML(
            "w:p",
            isLast ? [("w14:paraId", DocxComments.paragraph(of: comment.id))] : [],
            sign + [run]
          )
        }
        return XML(
          "w:comment",
          attributes + [("w:initials", comment.said.origin.initials)],
          content
        )
      }
    )
  }

  /// Which comments answer which, and which are resolved.
  var extended: XML {
    XML(
      "w15:commentsEx",
      DocxComments.namespaces,
      all.map { comment in
        let parent = comment.parent.map { [("w15:paraIdParent", DocxComments.paragraph(of: $0))] }
        let isDone = threads.values.joined().first { $0.id == comment.parent }?.said.isResolved
        return XML(
          "w15:commentEx",
          [("w15:paraId", DocxComments.paragraph(of: comment.id))] + (parent ?? [])
            + [("w15:done", isDone ?? comment.said.isResolved ? "1" : "0")]
        )
      }
    )
  }

  /// The identifier of a comment's last paragraph, by which the comment is known elsewhere; not 0.
  private static func paragraph(of id: Int) -> String {
    let digits = String(id + 1, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static let namespaces = [
    ("xmlns:w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    ("xmlns:mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"),
    ("xmlns:w14", "http://schemas.microsoft.com/office/word/2010/wordml"),
    ("xmlns:w15", "http://schemas.microsoft.com/office/word/2012/wordml"),
    ("mc:Ignorable", "w14 w15"),
  ].map { (name: $0.0, value: $0.1) }

  /// The people of a document.
  static func people(_ names: [String]) -> XML {
    XML(
      "w15:people",
      namespaces,
      names.map { name in
        let presence = XML("w15:presenceInfo", [("w15:providerId", "None"), ("w15:userId", name)])
        return XML("w15:person", [("w15:author", name)], [presence])
      }
    )
  }
}

extension DocxStretch.Comment {
  /// The paragraphs of it, between which `¶` stands in Markdown.
  fileprivate var paragraphs: [String] {
    text.split(separator: "¶", omittingEmptySubsequences: false).map { paragraph in
      paragraph.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }
}
