/// The changes and comments beside the text of a Word document: in headers, footers and text boxes.
///
/// pandoc leaves those out, but for text boxes in some of its versions.
struct WordSurroundings {
  private enum Kind: String, CaseIterable {
    case textBox = "text boxes"
    case header = "headers"
    case footer = "footers"
  }

  /// What is in a header, a footer or a text box.
  private struct Content {
    let kind: Kind
    /// The numbers of its changes, by which the sentinels know them.
    var numbers: Set<Int> = []
    /// How many changes it has for somebody who reads it.
    var changes = 0
    var comments: Set<String> = []
    /// Who changed the last thing that was read, how and when; nil if nobody did.
    private var last: String?

    init(_ kind: Kind, of element: XML) {
      self.kind = kind
      element.visit {
        if let number = $0[WordChanges.number].flatMap({ Int($0) }) { numbers.insert(number) }
      }
      read(element, isChanged: false)
    }

    private mutating func read(_ element: XML, isChanged: Bool) {
      var isChanged = isChanged
      switch element.name {
      case "w:ins", "w:del", "w:moveFrom", "w:moveTo":
        // What one person did in one go is one change, whatever it is cut into.
        let change = [element.name, element["w:author"] ?? "", element["w:date"] ?? ""]
          .joined(separator: "\n")
        if change != last { changes += 1 }
        (last, isChanged) = (change, true)
      case "w:t" where !isChanged: last = nil
      case "w:commentReference": if let id = element["w:id"] { comments.insert(id) }
      default: break
      }
      let parts = element.elements
      // The same again, for programs that cannot show the first.
      let isTwice = parts.first?.name == "mc:Choice"
      for part in isTwice ? parts.prefix(1) : parts[...] { read(part, isChanged: isChanged) }
    }
  }

  private var contents: [Content] = []

  /// Adds the text boxes of a part with text, whose changes are numbered.
  mutating func addTextBoxes(of part: XML) {
    for element in part.elements {
      if element.isTextBox {
        contents.append(Content(.textBox, of: element))
      } else {
        addTextBoxes(of: element)
      }
    }
  }

  /// Adds a header or a footer; any other part is none.
  mutating func add(_ root: XML) {
    switch root.name {
    case "w:hdr": contents.append(Content(.header, of: root))
    case "w:ftr": contents.append(Content(.footer, of: root))
    default: break
    }
  }

  /// What is said of that which the text has not, a sentence each.
  ///
  /// - Parameters:
  ///   - shown: The numbers of the changes and comments that the text has.
  ///   - comments: The numbers of the comments.
  /// - Returns: The sentences.
  func losses(besides shown: Set<Int>, comments: [String: Int]) -> [String] {
    var losses: [String] = []
    for kind in Kind.allCases {
      var (changes, remarks) = (0, 0)
      for content in contents where content.kind == kind {
        let numbers = content.numbers.union(content.comments.compactMap { comments[$0] })
        guard numbers.isDisjoint(with: shown) else { continue }
        changes += content.changes
        remarks += content.comments.count
      }
      if changes > 0 {
        let verb = changes == 1 ? "was" : "were"
        losses.append("\(counted(changes, "change")) in \(kind.rawValue) \(verb) not imported")
      }
      if remarks > 0 {
        let verb = remarks == 1 ? "stands" : "stand"
        losses.append(
          "\(counted(remarks, "comment")) in \(kind.rawValue) \(verb) elsewhere,"
            + " for the text there was not imported"
        )
      }
    }
    return losses
  }
}

extension XML {
  /// Whether it stands for a text box in a run.
  var isTextBox: Bool {
    ["mc:AlternateContent", "w:drawing", "w:pict", "w:object"].contains(name)
      && has("w:txbxContent")
  }

  private func has(_ name: String) -> Bool {
    elements.contains { $0.name == name || $0.has(name) }
  }
}
