import TrackEngine

extension [UInt8] {
  /// A text that was imported from a copy, in which a caption that was added to an image or deleted from it is a caption
  /// in marks.
  ///
  /// What pandoc makes of an image with a caption is another block than an image alone, so that all of it would be
  /// replaced. The picture has to stay the same. What was added or deleted right before it is in one mark with it.
  ///
  /// - Parameters:
  ///   - captions: The captions of the images before.
  ///   - isSame: Whether two files have the same picture.
  /// - Returns: The text.
  func withFiguresKept(_ captions: [[UInt8]], _ isSame: (String, String) -> Bool) -> [UInt8] {
    let reading = Reading(of: self, as: Pandoc.language)
    let marks = reading.topLevel.map { reading.marks[$0].range }
    var edits: [Edit] = []
    for mark in marks.indices where marks[mark].lowerBound >= edits.last?.range.upperBound ?? 0 {
      guard let figure = figure(at: mark, of: marks, captions, isSame) else { continue }
      edits.append(figure)
    }
    return applying(edits)
  }

  /// The edit that puts the caption of an image into marks which a mark adds or deletes; nil if it does not.
  private func figure(
    at index: Int,
    of marks: [Range<Int>],
    _ captions: [[UInt8]],
    _ isSame: (String, String) -> Bool
  ) -> Edit? {
    var start = lineStart(before: marks[index].lowerBound)
    // A caption that is a paragraph of its own comes after its image.
    if start == marks[index].lowerBound, self[..<start].ends(with: ">\n\n") {
      start = lineStart(before: start - 2)
    }
    guard index == 0 || marks[index - 1].upperBound <= start else { return nil }
    for last in index..<Swift.min(index + CopiedFigure.mostMarks, marks.count) {
      var end = attributionsEnd(from: marks[last].upperBound)
      while end < count, self[end] == UInt8(ascii: "\n") { end += 1 }
      let part = Array(self[start..<end])
      guard part[...].firstRange(of: Array("<img ".utf8)[...]) != nil else { continue }
      let reading = Reading(of: part, as: Pandoc.language)
      let (original, clean) = (
        reading.text(.original, of: part), reading.text(.clean, of: part)
      )
      let isWhole =
        end == count || original[...].ends(with: "\n\n") && clean[...].ends(with: "\n\n")
      guard isWhole, let old = CopiedFigure(original), let new = CopiedFigure(clean),
        isSame(old.name, new.name), old.head.isEmpty || new.head.isEmpty
      else { continue }
      let mark: (opener: String, caption: [UInt8], closer: String)
      switch (old.caption, new.caption) {
      case (let caption?, nil) where captions.contains(caption): mark = ("{--", caption, "--}")
      case (nil, let caption?) where new.isFigure || new.isDescribed(by: caption, notIn: old):
        mark = ("{++", caption, "++}")
      default: continue
      }
      let comments = reading.topLevel.map { reading.marks[$0] }.filter { $0.kind == .comment }
      guard comments.allSatisfy({ $0.isAttribution(in: part) }) else { return nil }
      let attributions = Set(comments.map { part[$0.range] })
      guard attributions.count <= 1 else { return nil }
      func marked(_ opener: String, _ text: [UInt8], _ closer: String) -> [UInt8] {
        text.isEmpty ? [] : opener.utf8 + text + closer.utf8 + (attributions.first ?? [])
      }
      let head = marked("{--", old.head, "--}") + marked("{++", new.head, "++}")
      let caption = marked(mark.opener, mark.caption, mark.closer)
      return Edit(start..<end, head + new.bytes(captioned: caption))
    }
    return nil
  }

  private func lineStart(before offset: Int) -> Int {
    self[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }
}

/// What is around an image and its caption in what pandoc has made of a document.
enum FigureHTML {
  static let opener = "<figure>\n"
  /// What the tag of the caption begins with.
  static let caption = "\n<figcaption"
  static let closer = "</p></figcaption>\n</figure>"
}

/// An image in what pandoc has made of a document, with its caption if it has one: all of its blocks.
private struct CopiedFigure {
  /// The blocks before it.
  let head: [UInt8]
  /// Its tag.
  let tag: [UInt8]
  let caption: [UInt8]?
  /// Whether it says that the caption is one; else that is the next paragraph.
  let isFigure: Bool

  /// In how many marks an edit can tear it.
  static let mostMarks = 8

  /// Reads the one image of a text; nil if anything else is behind it.
  init?(_ text: [UInt8]) {
    let lineEnds = text.reversed().prefix { $0 == UInt8(ascii: "\n") }.count
    let text = Array(text.dropLast(lineEnds))
    guard let start = text.firstRange(of: Array("<img ".utf8)[...])?.lowerBound,
      let end = text.tagEnd(from: start)
    else { return nil }
    isFigure = text[..<start].ends(with: FigureHTML.opener)
    head = Array(text[..<start].dropLast(isFigure ? FigureHTML.opener.utf8.count : 0))
    guard head.isEmpty || head[...].ends(with: "\n\n") else { return nil }
    tag = Array(text[start..<end])
    let rest = text[end...]
    if isFigure {
      let last = text.count - FigureHTML.closer.utf8.count
      guard rest.starts(with: FigureHTML.caption.utf8), let first = text.tagEnd(from: end + 1),
        text[first...].starts(with: "<p>".utf8), rest.ends(with: FigureHTML.closer),
        first + 3 <= last
      else { return nil }
      caption = Array(text[(first + 3)..<last])
    } else if rest.isEmpty {
      caption = nil
    } else {
      guard rest.starts(with: "\n\n".utf8) else { return nil }
      caption = Array(rest.dropFirst(2))
    }
    if let caption, caption.contains(UInt8(ascii: "\n")) { return nil }
  }

  /// The name of its file.
  var name: String { tag[...].value(of: "src") }

  /// Whether what describes the image is a caption, and was not.
  func isDescribed(by caption: [UInt8], notIn old: CopiedFigure) -> Bool {
    tag[...].value(of: "alt") == String(decoding: caption, as: UTF8.self)
      && old.tag[...].value(of: "alt") != tag[...].value(of: "alt")
  }

  /// The blocks with another caption.
  func bytes(captioned caption: some Sequence<UInt8>) -> [UInt8] {
    FigureHTML.opener.utf8 + tag + "\(FigureHTML.caption)><p>".utf8 + caption
      + "\(FigureHTML.closer)\n\n".utf8
  }
}
