import TrackEngine

/// The images of a text of which a Word document was made, as they are in Markdown.
///
/// What pandoc makes of an image of the document has another name, a size, and a caption that is text:
/// `<img src="media/image1.png" style="width:3in" alt="A hen" />`. Where each is in Markdown as the text has it, an edit of a
/// caption is an edit of the caption alone.
struct CopiedImages {
  private let images: [ImageInText]
  /// The images of the document, by what they show: the indices of those in the text.
  private var indices: [[UInt8]: [Int]] = [:]
  /// The captions that come back from the document unedited; nil where there is none.
  private var captions: [[UInt8]?] = []
  private let unedited: [UInt8]
  private let page: ImportedImages

  /// Finds the images; nil if the text and the document have not as many.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - unedited: What was imported from the document that was made of it.
  ///   - document: The document.
  /// - Throws: `Platform.Failure` if an image of the document is damaged.
  init?(
    in text: [UInt8],
    _ unedited: [UInt8],
    of document: WordDocument
  ) throws(Platform.Failure) {
    images = ImageInText.all(in: text)
    self.unedited = unedited
    page = ImportedImages(in: unedited)
    if images.isEmpty || images.count != page.all.count { return nil }
    let contents = try document.imagesByName()
    for (index, image) in page.all.enumerated() {
      if let shown = contents[image.name] { indices[shown, default: []].append(index) }
      let caption = images[index].isFigure ? page.caption(of: image) : nil
      captions.append(caption.map { Array(unedited[$0.range]) })
    }
  }

  /// What was imported from a copy of the document and from the document, with the images as the text has them.
  ///
  /// - Parameters:
  ///   - edited: What was imported from the copy.
  ///   - copy: The copy.
  /// - Returns: Both.
  /// - Throws: `Platform.Failure` if an image of the copy is damaged.
  func restored(
    in edited: [UInt8],
    of copy: WordDocument
  ) throws(Platform.Failure) -> (edited: [UInt8], unedited: [UInt8]) {
    let contents = try copy.imagesByName()
    var (known, own): ([Int: [Edit]], [Int: [Edit]]) = ([:], [:])
    func isSame(_ name: String, _ other: String) -> Bool {
      contents[name] != nil && contents[name] == contents[other]
    }
    let edited = edited.withFiguresKept(captions.compactMap { $0 }, isSame)
      .withImagesKept(isSame)
    let copied = ImportedImages(in: edited)
    for (index, image) in pairs(with: copied, contents) {
      known[index] = edits(of: image, index, in: copied)
    }
    // What cannot be restored in one of both is left in both.
    for (index, image) in page.all.enumerated() where known[index] != nil {
      own[index] = edits(of: image, index, in: page)
      if own[index] == nil { known[index] = nil }
    }
    func all(_ edits: [Int: [Edit]]) -> [Edit] {
      edits.values.joined().sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
    return (edited.applying(all(known)), unedited.applying(all(own)))
  }

  /// The images of a copy that the document had, by their indices in the text.
  ///
  /// Where a picture occurs several times, what describes it tells which is which; the order does for the rest, if the
  /// picture is as often in both.
  ///
  /// - Parameters:
  ///   - copied: The images of the copy.
  ///   - contents: What each shows, by its name.
  /// - Returns: The images.
  private func pairs(
    with copied: ImportedImages,
    _ contents: [String: [UInt8]]
  ) -> [Int: ImportedImages.Image] {
    var pairs: [Int: ImportedImages.Image] = [:]
    for (shown, images) in Dictionary(grouping: copied.all, by: { contents[$0.name] }) {
      guard let shown, let own = indices[shown] else { continue }
      let described = Dictionary(grouping: images, by: \.description)
      for (description, indices) in Dictionary(grouping: own, by: { page.all[$0].description })
      where indices.count == 1 && described[description]?.count == 1 {
        pairs[indices[0]] = described[description]?.first
      }
      guard images.count == own.count else { continue }
      let known = Set(own.compactMap { pairs[$0]?.range.lowerBound })
      let rest = images.filter { !known.contains($0.range.lowerBound) }
      for (index, image) in zip(own.filter { pairs[$0] == nil }, rest) { pairs[index] = image }
    }
    return pairs
  }

  /// The edits that write an image as the text does; nil if that is not certain.
  private func edits(of image: ImportedImages.Image, _ index: Int, in page: ImportedImages)
    -> [Edit]?
  {
    let known = images[index]
    let place = page.caption(of: image)
    guard let caption = captions[index] else {
      if known.isFigure { return nil }
      if let place, place.isFigure, known.isAlone {
        return page.hasNewSigns(place.range, []) ? nil : edits(place, known)
      }
      let isSame = known.isTag || image.description == self.page.all[index].description
      return [
        Edit(image.range, isSame ? known.bytes : known.bytes(describedBy: image.description))
      ]
    }
    guard let place, page.isEdited(place.range, caption) else {
      return place?.isFigure == true ? nil : [Edit(image.range, known.bytes(describedBy: ""))]
    }
    return page.hasNewSigns(place.range, caption) ? nil : edits(place, known)
  }

  private func edits(_ place: ImportedImages.Caption, _ known: ImageInText) -> [Edit] {
    [
      Edit(place.whole.lowerBound..<place.range.lowerBound, Array("![".utf8)),
      Edit(place.range.upperBound..<place.whole.upperBound, known.end),
    ]
  }
}

/// An image in a text in Markdown, as in `![A hen](a.png){width=50%}`, or a tag of HTML.
private struct ImageInText {
  let bytes: [UInt8]
  /// How many bytes of it are before what describes it, and of that.
  private let start: Int
  private let length: Int
  /// Whether it is all of its paragraph, so that what describes it is a caption.
  let isAlone: Bool

  var isFigure: Bool { isAlone && length > 0 }

  var isTag: Bool { start == 0 }

  /// What follows the caption.
  var end: [UInt8] { Array(bytes[(start + length)...]) }

  /// The same with another description.
  func bytes(describedBy text: String) -> [UInt8] {
    Array(bytes[..<start]) + Array(text.utf8) + end
  }

  /// Those of a text, in order.
  static func all(in text: [UInt8]) -> [ImageInText] {
    let zones = Reading(of: text, as: Pandoc.language).zones
    var images: [ImageInText] = []
    var at = 0
    while at < text.count {
      let isImage = text[at...].starts(with: "![".utf8)
      guard isImage || text[at...].starts(with: "<img ".utf8),
        !text.isEscaped(at), zones.first(overlapping: at..<at + 2, \.range) == nil,
        let end = isImage ? text.imageEnd(from: at) : text.tagEnd(from: at)
      else {
        at += 1
        continue
      }
      let description = isImage ? (text.bracketEnd(from: at + 1) ?? end) - 1 - (at + 2) : 0
      let isAlone = text.isLineBreak(before: at) && text.endsLine(at: end)
      images.append(
        ImageInText(
          bytes: Array(text[at..<end]),
          start: isImage ? 2 : 0,
          length: description,
          isAlone: isAlone
        )
      )
      at = end
    }
    return images
  }
}

/// The images in what pandoc has made of a document.
private struct ImportedImages {
  /// An image.
  struct Image {
    /// Its tag.
    let range: Range<Int>
    /// The name of its file.
    let name: String
    let description: String
  }

  private(set) var all: [Image] = []
  private let text: [UInt8]
  /// The outermost marks.
  private let marks: [Range<Int>]

  init(in text: [UInt8]) {
    self.text = text
    let reading = Reading(of: text, as: Pandoc.language)
    marks = reading.topLevel.map { reading.marks[$0].range }
    var at = 0
    while let start = text[at...].firstRange(of: Array("<img ".utf8)[...])?.lowerBound,
      let end = text.tagEnd(from: start)
    {
      // What describes an image can look like code; what begins in code is no image.
      if let zone = reading.zones.first(overlapping: start..<start + 1, \.range) {
        at = zone.range.upperBound
        continue
      }
      at = end
      let tag = text[start..<end]
      all.append(
        Image(range: start..<end, name: tag.value(of: "src"), description: tag.value(of: "alt"))
      )
    }
  }

  /// The caption of an image.
  struct Caption {
    /// All of the figure.
    let whole: Range<Int>
    /// The caption alone.
    let range: Range<Int>
    /// Whether it says that it is one.
    let isFigure: Bool
  }

  /// The caption of an image; nil if it is not certain that there is one.
  func caption(of image: Image) -> Caption? {
    let (start, end) = (image.range.lowerBound, image.range.upperBound)
    if text[..<start].ends(with: FigureHTML.opener),
      text[end...].starts(with: FigureHTML.caption.utf8)
    {
      guard let tag = text.tagEnd(from: end + 1), text[tag...].starts(with: "<p>".utf8),
        let last = text[tag...].firstRange(of: Array(FigureHTML.closer.utf8)[...]),
        text[(tag + 3)..<last.lowerBound].firstRange(of: Array("<p>".utf8)[...]) == nil
      else { return nil }
      return Caption(
        whole: start - FigureHTML.opener.utf8.count..<last.upperBound,
        range: tag + 3..<last.lowerBound,
        isFigure: true
      )
    }
    guard isBlockStart(start), text[end...].starts(with: "\n\n".utf8) else { return nil }
    let first = end + 2
    var last = text[first...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    if let outer = marks.first(overlapping: first - 1..<first, \.self) {
      last = min(last, outer.upperBound - 3)
    } else if let cut = marks.first(overlapping: last..<last + 1, \.self), cut.lowerBound < last {
      last = cut.lowerBound
    }
    return first < last
      ? Caption(whole: start..<last, range: first..<last, isFigure: false) : nil
  }

  /// Whether a block begins at an offset, be it in a mark or behind that of another block.
  private func isBlockStart(_ offset: Int) -> Bool {
    var offset = offset
    func mark() -> Range<Int>? {
      marks.first(overlapping: offset - 1..<offset, \.self)
    }
    if let outer = mark(), outer.lowerBound == offset - 3 { offset -= 3 }
    while let comment = mark(), text[comment.lowerBound...].starts(with: "{>>".utf8) {
      offset = comment.lowerBound
    }
    if let other = mark(), other.upperBound == offset { offset -= 3 }
    return text.isLineBreak(before: offset)
  }

  /// Whether an edit has put signs into a caption that mean something in Markdown: it is text of HTML.
  func hasNewSigns(_ range: Range<Int>, _ caption: [UInt8]) -> Bool {
    let signs = Array(#"\[]*_$^~`&<>"#.utf8)
    let bytes = Array(text[range])
    let clean = Reading(of: bytes, as: Pandoc.language).text(.clean, of: bytes)
    return clean.filter(signs.contains) != caption.filter(signs.contains)
  }

  /// Whether a stretch is what an edit leaves of a caption: half of its words at least.
  func isEdited(_ range: Range<Int>, _ caption: [UInt8]) -> Bool {
    func words(_ text: some Sequence<UInt8>) -> [String] {
      String(decoding: Array(text), as: UTF8.self).split { !$0.isLetter && !$0.isNumber }
        .map(String.init)
    }
    let before = words(caption)
    let bytes = Array(text[range])
    let original = Reading(of: bytes, as: Pandoc.language).text(.original, of: bytes)
    let kept = commonPairs(before, words(original))?.count ?? 0
    return 2 * kept >= before.count
  }
}

extension [UInt8] {
  /// The text, in which a tag is not replaced by another one of the same picture: with its caption what describes an
  /// image changes, too.
  ///
  /// - Parameter isSame: Whether two files have the same picture.
  /// - Returns: The text.
  fileprivate func withImagesKept(_ isSame: (String, String) -> Bool) -> [UInt8] {
    let reading = Reading(of: self, as: Pandoc.language)
    return applying(
      reading.topLevel.compactMap { index in
        let mark = reading.marks[index]
        let inner = self[mark.range].dropFirst(3).dropLast(3)
        guard mark.kind == .substitution,
          let arrow = inner.firstRange(of: Array("~>".utf8)[...]),
          let old = inner[..<arrow.lowerBound].partedAtTag,
          let new = inner[arrow.upperBound...].partedAtTag, old.before == new.before,
          isSame(old.tag.value(of: "src"), new.tag.value(of: "src"))
        else { return nil }
        let same = zip(old.after, new.after).prefix { $0 == $1 }.count
        // Only what is before the words of the caption.
        let isAll = same == old.after.count && same == new.after.count
        let head = new.after.prefix(same)
        let kept =
          isAll ? same : head.count - head.reversed().prefix { $0 != UInt8(ascii: ">") }.count
        let rest =
          Array("{~~".utf8) + old.after.dropFirst(kept) + Array("~>".utf8)
          + new.after.dropFirst(kept) + Array("~~}".utf8)
        let end = isAll ? attributionsEnd(from: mark.range.upperBound) : mark.range.upperBound
        return Edit(
          mark.range.lowerBound..<end,
          Array(new.before + new.tag + new.after.prefix(kept)) + (isAll ? [] : rest)
        )
      }
    )
  }

  /// Where the tag ends that begins at an offset; nil if it does not.
  func tagEnd(from offset: Int) -> Int? {
    self[offset...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
  }

  /// Where the bracket or parenthesis is closed that is at an offset, in its paragraph.
  fileprivate func bracketEnd(from offset: Int) -> Int? {
    let opener = self[offset]
    let closer = opener == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]")
    var depth = 0
    for at in offset..<count where !isEscaped(at) {
      if self[at...].starts(with: "\n\n".utf8) { return nil }
      if self[at] == opener { depth += 1 }
      if self[at] == closer { depth -= 1 }
      if depth == 0 { return at + 1 }
    }
    return nil
  }

  /// Where the image ends that begins at an offset, with its attributes; nil if there is none.
  fileprivate func imageEnd(from offset: Int) -> Int? {
    guard let caption = bracketEnd(from: offset + 1), caption < count,
      "([".utf8.contains(self[caption]), let address = bracketEnd(from: caption)
    else { return nil }
    let rest = self[address...]
    guard rest.first == UInt8(ascii: "{"), let sign = rest.dropFirst().first,
      !"+-~=>".utf8.contains(sign), let end = rest.firstIndex(of: UInt8(ascii: "}"))
    else { return address }
    return end + 1
  }

  fileprivate func isLineBreak(before offset: Int) -> Bool {
    offset == 0 || self[offset - 1] == UInt8(ascii: "\n")
  }

  fileprivate func endsLine(at offset: Int) -> Bool {
    offset == count || self[offset] == UInt8(ascii: "\n") || self[offset] == UInt8(ascii: "\r")
  }

  /// Where the comments end that begin at an offset and only name who made a change.
  func attributionsEnd(from offset: Int) -> Int {
    var end = offset
    while self[end...].starts(with: "{>>@".utf8),
      let closer = self[end...].firstRange(of: Array("<<}".utf8)[...]),
      self[end..<closer.lowerBound].firstRange(of: Array(": ".utf8)[...]) == nil
    {
      end = closer.upperBound
    }
    return end
  }
}

extension ArraySlice<UInt8> {
  /// Whether a text is the end of it.
  func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// A text with the tag of one image as what is before that, the tag, and what is behind it; nil if it is no such text.
  fileprivate var partedAtTag:
    (
      before: ArraySlice<UInt8>, tag: ArraySlice<UInt8>, after: ArraySlice<UInt8>
    )?
  {
    let opener = Array("<img ".utf8)[...]
    guard let start = firstRange(of: opener)?.lowerBound,
      let end = self[start...].firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 }),
      self[end...].firstRange(of: opener) == nil
    else { return nil }
    return (self[..<start], self[start..<end], self[end...])
  }

  /// The value of an attribute of the tag that it is; empty if it has none of that name.
  func value(of name: String) -> String {
    guard let start = firstRange(of: Array(" \(name)=\"".utf8)[...])?.upperBound else { return "" }
    return String(decoding: self[start...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}

extension WordDocument {
  fileprivate func imagesByName() throws(Platform.Failure) -> [String: [UInt8]] {
    Dictionary(try images().map { ($0.name, $0.contents) }) { first, _ in first }
  }
}
