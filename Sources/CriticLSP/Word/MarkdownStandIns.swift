import TrackEngine

/// Paragraphs of prose in a text that pandoc makes a Word document of, which it need not read: in their places it reads
/// short ones, and their text is put there into the document.
struct MarkdownStandIns {
  /// The text with stand-ins.
  private(set) var text: [UInt8] = []
  /// The paragraphs in the place of each, which have the same properties.
  private var paragraphs: [[String]] = []

  /// Puts stand-ins into a text.
  ///
  /// Linear.
  init(in markdown: [UInt8]) {
    // What looks like one is text.
    if Sentinel.mayHaveStandIns(markdown) {
      text = markdown
      return
    }
    let start = frontMatter(of: markdown).upperBound
    text += markdown[..<start]
    let blocks = markdown[start...].linesOfBlocks
    var proseCount = 0
    for (index, block) in blocks.enumerated() {
      // A term stands before what defines it.
      let sign = index + 1 < blocks.count ? blocks[index + 1].first?.first : nil
      let isTerm = sign == UInt8(ascii: ":") || sign == UInt8(ascii: "~")
      guard !isTerm, let prose = MarkdownStandIns.prose(block) else {
        for line in block { text += line }
        proseCount = 0
        continue
      }
      proseCount += 1
      // One behind a heading or a list may have other properties than the one behind it, which those that follow have.
      if proseCount > 2 {
        paragraphs[paragraphs.count - 1].append(prose)
        continue
      }
      text += Sentinel.standIn(paragraphs.count).utf8
      text += "\n\n".utf8
      paragraphs.append([prose])
    }
  }

  /// The text of a paragraph; nil if it is no plain prose.
  private static func prose(_ lines: [ArraySlice<UInt8>]) -> String? {
    var texts: [String] = []
    for line in lines {
      let line = line.withoutLineBreak
      if line.allSatisfy(\.isSpace) { continue }
      // Spaces at the beginning make code, and those at the end break the line.
      guard line.first?.isSpace == false, line.last?.isSpace == false else { return nil }
      var prose = ProseLine()
      var count = 0
      for part in Sentinel.parts(of: Array(line)) {
        switch part {
        case .text(let text):
          count += text.count
          guard prose.add(String(decoding: text, as: UTF8.self)) else { return nil }
        case .sentinel(let sentinel):
          count += sentinel.text.utf8.count
          prose.add(sentinel: sentinel.text)
        }
      }
      // Noncharacters that mean nothing are none of ours.
      guard prose.isWhole, count == line.count else { return nil }
      texts.append(String(decoding: prose.text, as: UTF8.self))
    }
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  /// Puts the paragraphs into what pandoc made of the text.
  ///
  /// Linear.
  ///
  /// - Parameter package: What pandoc made.
  /// - Returns: Whether it is now what pandoc would have made of the whole text, for each stand-in is a plain paragraph.
  func fill(_ package: DocxPackage) -> Bool {
    guard !paragraphs.isEmpty, let body = package.document.first("w:body") else {
      return paragraphs.isEmpty
    }
    var children: [XML.Node] = []
    var number = 0
    for child in body.children {
      guard number < paragraphs.count, case .element(let paragraph) = child,
        paragraph.name == "w:p", paragraph.text == Sentinel.standIn(number)
      else {
        children.append(child)
        continue
      }
      let parts = paragraph.elements
      guard parts.count == 2, parts[0].name == "w:pPr", parts[0].elements.count == 1,
        let style = parts[0].first("w:pStyle")?["w:val"], package.plainStyles.contains(style),
        parts[1].name == "w:r", parts[1].elements.count == 1, let text = parts[1].first("w:t")
      else { return false }
      for prose in paragraphs[number] {
        text.children = [.text(prose)]
        children.append(.element(paragraph.copy))
      }
      number += 1
    }
    body.children = children
    return number == paragraphs.count
  }
}

extension ArraySlice<UInt8> {
  /// The lines of each paragraph or other block, with the blank lines behind it.
  fileprivate var linesOfBlocks: [[ArraySlice<UInt8>]] {
    var blocks: [[ArraySlice<UInt8>]] = []
    var isBehindBlank = true
    for line in lines {
      let isBlank = line.withoutLineBreak.allSatisfy(\.isSpace)
      if isBehindBlank, !isBlank || blocks.isEmpty {
        blocks.append([line])
      } else {
        blocks[blocks.count - 1].append(line)
      }
      isBehindBlank = isBlank
    }
    return blocks
  }
}
