import TrackEngine

/// Paragraphs of a Word document that pandoc need not read, or not again: in their places it reads short ones, and their
/// Markdown is put there into what it writes.
///
/// They are those that pandoc writes as one line, whatever stands around them. Of prose that line is known; of others, from
/// the first time that pandoc writes them.
struct WordStandIns {
  /// What is in the place of a paragraph of a number.
  private enum StandIn {
    /// The lines of paragraphs.
    case lines([[UInt8]])
    /// Nothing: paragraphs begin or end there of which the lines are to be found.
    case edge
  }

  /// The styles of paragraphs that may become something else than a line.
  private let specialStyles: Set<String>
  /// The lines of the paragraphs that pandoc has read, by their XML.
  private var known: [[UInt8]: [UInt8]] = [:]
  private var standIns: [StandIn] = []
  /// The XML of the paragraphs between a stand-in and the next one, where their lines are to be found.
  private var unknown: [Int: [[UInt8]]] = [:]

  /// Prepares for a document.
  ///
  /// - Parameter styles: Its styles; nil if it has none.
  init(_ styles: XML?) {
    var parents: [String: String] = [:]
    var special: Set<String> = []
    for style in styles?.elements ?? [] {
      guard let id = style["w:styleId"] else { continue }
      parents[id] = style.first("w:basedOn")?["w:val"]
      let name = style.first("w:name")?["w:val"]?.lowercased() ?? ""
      let isSpecial =
        WordStandIns.specialNames.contains(where: name.contains)
        || (style.first("w:pPr")?.elements ?? []).contains {
          ["w:numPr", "w:outlineLvl", "w:framePr"].contains($0.name)
        }
      if isSpecial { special.insert(id) }
    }
    var plain: Set<String> = []
    for id in parents.keys {
      var line: Set<String> = []
      var next: String? = id
      while let style = next, !special.contains(style), !plain.contains(style),
        line.insert(style).inserted
      {
        next = parents[style]
      }
      if let next, special.contains(next) { special.formUnion(line) } else { plain.formUnion(line) }
    }
    specialStyles = special
  }

  /// Parts of the names of styles that pandoc knows.
  private static let specialNames = [
    "abstract", "author", "bibliography", "block text", "caption", "compact", "date", "definition",
    "figure", "heading", "list", "quot", "source code", "title", "toc",
  ]

  // MARK: In Word

  /// Puts stand-ins into a document, in place of those before.
  ///
  /// - Parameters:
  ///   - body: The body of the document.
  ///   - isFinding: Whether the lines of other paragraphs are to be found.
  mutating func replaceParagraphs(of body: XML, isFinding: Bool) {
    (standIns, unknown) = ([], [:])
    var result: [XML.Node] = []
    /// The properties of the stand-in that stands last.
    var last: String?
    /// The paragraph that stands last, if its line is to be found.
    var lastUnknown: XML?
    func endUnknown() {
      guard let paragraph = lastUnknown else { return }
      add(.edge, for: paragraph)
      lastUnknown = nil
    }
    func add(_ standIn: StandIn, for paragraph: XML) {
      let properties = paragraph.first("w:pPr").map { [$0.copy] } ?? []
      let run = XML("w:r", [], [XML("w:t", text: Sentinel.standIn(standIns.count))])
      result.append(.element(XML("w:p", [], properties + [run])))
      standIns.append(standIn)
      last = properties.first?.written ?? ""
    }
    for child in body.children {
      guard case .element(let paragraph) = child, isLine(paragraph) else {
        endUnknown()
        last = nil
        result.append(child)
        continue
      }
      let line = prose(paragraph)
      let name = line == nil ? paragraph.document : []
      if let line = line ?? known[name] {
        lastUnknown = nil
        if last == paragraph.first("w:pPr")?.written ?? "",
          case .lines(var lines)? = standIns.last
        {
          // Taken out, so that the lines are not copied.
          standIns.removeLast()
          lines.append(line)
          standIns.append(.lines(lines))
        } else {
          add(.lines([line]), for: paragraph)
        }
      } else if isFinding {
        if lastUnknown == nil, last == nil { add(.edge, for: paragraph) }
        unknown[standIns.count - 1, default: []].append(name)
        result.append(child)
        (last, lastUnknown) = (nil, paragraph)
      } else {
        last = nil
        result.append(child)
      }
    }
    endUnknown()
    body.children = result
  }

  /// Whether a paragraph becomes a line of its own: one of text alone that shows something, in no list and no quotation.
  private func isLine(_ paragraph: XML) -> Bool {
    guard paragraph.name == "w:p" else { return false }
    var isSeen = false
    var openFields = 0
    for element in paragraph.elements {
      switch element.name {
      case "w:pPr":
        let isSpecial = element.elements.contains { property in
          switch property.name {
          case "w:pStyle": property["w:val"].map(specialStyles.contains) ?? true
          case "w:numPr", "w:outlineLvl", "w:framePr", "w:sectPr": true
          case "w:ind": property["w:left"] != nil || property["w:start"] != nil
          default: false
          }
        }
        if isSpecial { return false }
      case "w:r":
        for part in element.elements {
          switch part.name {
          case "w:rPr":
            let isHidden = part.elements.contains {
              ["w:vanish", "w:webHidden", "w:specVanish"].contains($0.name)
            }
            if isHidden { return false }
          case "w:t":
            if !isSeen, !element.isSentinel { isSeen = part.text.contains { !$0.isWhitespace } }
          case "w:fldChar":
            openFields += part["w:fldCharType"] == "begin" ? 1 : 0
            openFields -= part["w:fldCharType"] == "end" ? 1 : 0
            if openFields < 0 { return false }
          // Of an entry in an index there is none.
          case "w:instrText" where part.text.isEmpty: break
          default: return false
          }
        }
      default: return false
      }
    }
    return isSeen && openFields == 0
  }

  /// The line of a paragraph that becomes one; nil if it is no plain prose.
  private func prose(_ paragraph: XML) -> [UInt8]? {
    var line = ProseLine()
    for run in paragraph.elements where run.name == "w:r" {
      for part in run.elements {
        if part.name == "w:fldChar" || part.name == "w:instrText" {
          return nil
        } else if part.name == "w:rPr" {
          guard part.elements.allSatisfy({ WordStandIns.plainProperties.contains($0.name) }) else {
            return nil
          }
        } else if run.isSentinel {
          line.add(sentinel: part.text)
        } else if !line.add(part.text) {
          return nil
        }
      }
    }
    return line.isWhole ? line.text : nil
  }

  /// Properties of a run that pandoc does not read.
  private static let plainProperties: Set = [
    "w:bCs", "w:color", "w:iCs", "w:kern", "w:lang", "w:noProof", "w:spacing", "w:sz", "w:szCs",
    "w:w",
  ]

  // MARK: In Markdown

  /// Puts the lines into what pandoc made of the document, and keeps those that are to be found.
  ///
  /// Linear.
  ///
  /// - Parameter markdown: What pandoc made.
  /// - Returns: What it would have made of the whole document; nil if that is not known, as a stand-in is no line.
  mutating func fill(_ markdown: [UInt8]) -> [UInt8]? {
    guard let places = Sentinel.standIns(in: markdown, count: standIns.count),
      places.allSatisfy(markdown.isLine)
    else { return nil }
    for (number, names) in unknown {
      let (start, end) = (places[number].upperBound + 2, places[number + 1].lowerBound - 2)
      guard start <= end, let lines = markdown[start..<end].paragraphs, lines.count == names.count
      else { continue }
      for (name, line) in zip(names, lines) { known[name] = Array(line) }
    }
    var result: [UInt8] = []
    var at = 0
    for (standIn, place) in zip(standIns, places) {
      result += markdown[at..<place.lowerBound]
      at = place.upperBound
      switch standIn {
      case .lines(let lines): result += lines.joined(separator: "\n\n".utf8)
      // With the blank line behind it, or else with that before it.
      case .edge where at + 2 <= markdown.count: at += 2
      case .edge: result.removeLast(min(2, result.count))
      }
    }
    return result + markdown[at...]
  }
}

extension [UInt8] {
  /// Whether there is nothing else in the line of a stretch, and a blank line on both sides.
  fileprivate func isLine(_ range: Range<Int>) -> Bool {
    let (before, after) = (self[..<range.lowerBound], self[range.upperBound...])
    return (before.isEmpty || before.suffix(2) == [0x0A, 0x0A])
      && (after == [0x0A] || after.starts(with: [0x0A, 0x0A]))
  }
}

extension ArraySlice<UInt8> {
  /// The paragraphs of one line each; nil if one has more.
  fileprivate var paragraphs: [ArraySlice<UInt8>]? {
    var paragraphs: [ArraySlice<UInt8>] = []
    var rest = self
    while let end = rest.firstIndex(of: 0x0A) {
      guard end + 1 < endIndex, rest[end + 1] == 0x0A else { return nil }
      paragraphs.append(rest[..<end])
      rest = rest[(end + 2)...]
    }
    paragraphs.append(rest)
    return paragraphs
  }
}
