/// What the text of a document refers to: links, images and lists, also those that only the original text has.
struct DocxReferences {
  private let new: DocxPackage
  private let old: DocxPackage
  /// The document's relations, to which those are added that only the original text has.
  private(set) var relations: [DocxPackage.Part: XML] = [:]
  /// The images that only the original text has.
  private(set) var files: [(name: String, contents: [UInt8])] = []
  private var ids: [String: String] = [:]
  /// The numbers of lists in the document, by those in the original text.
  private var lists: [String: String] = [:]
  /// The lists that only the original text has.
  private(set) var added: [XML] = []

  init(_ new: DocxPackage, _ old: DocxPackage) {
    self.new = new
    self.old = old
    for part in [DocxPackage.Part.document, .footnotes] {
      relations[part] = new.relations(of: part)
    }
  }

  // MARK: Links and images

  /// A copy of an element of the original text that refers to the same as there.
  ///
  /// - Throws: `Platform.Failure` if an image is damaged.
  mutating func adopted(
    _ element: XML,
    in part: DocxPackage.Part
  ) throws(Platform.Failure) -> XML {
    let copy = element.copy
    for element in copy.all {
      for (index, attribute) in element.attributes.enumerated()
      where attribute.name.hasPrefix("r:") && old.relation(attribute.value, of: part) != nil {
        element.attributes[index].value = try id(for: attribute.value, in: part)
      }
    }
    return copy
  }

  private mutating func id(
    for other: String,
    in part: DocxPackage.Part
  ) throws(Platform.Failure) -> String {
    let key = "\(part) \(other)"
    if let known = ids[key] { return known }
    guard let relation = old.relation(other, of: part) else { return other }
    let copy = relation.copy
    let id = "rIdOriginal\(ids.count + 1)"
    copy["Id"] = id
    if let file = relation.fileOfRelation {
      do throws(ZipArchive.Failure) {
        if let contents = try old.archive.contents(of: file) {
          let name =
            "media/original\(ids.count + 1)\(file.suffix(from: file.lastIndex(of: ".") ?? file.endIndex))"
          files.append(("word/\(name)", contents))
          copy["Target"] = name
        }
      } catch {
        throw Platform.Failure(description: "what pandoc wrote cannot be read: \(error)")
      }
    }
    relations[part]?.children.append(.element(copy))
    ids[key] = id
    return id
  }

  // MARK: Lists

  /// Notes that a paragraph is in both texts: the lists that it is in are one.
  mutating func pair(_ new: XML?, _ old: XML?) {
    guard let number = new?.listNumber, let other = old?.listNumber, lists[other] == nil,
      self.new.list(number) == self.old.list(other), !lists.values.contains(number)
    else { return }
    lists[other] = number
  }

  /// A copy of a paragraph's properties in the original text, with the number that its list has in the document.
  mutating func adopted(_ properties: XML?) -> XML? {
    let copy = properties?.copy
    guard let number = copy?.first("w:numPr")?.first("w:numId"), let other = number["w:val"] else {
      return copy
    }
    number["w:val"] = list(other)
    return copy
  }

  private mutating func list(_ other: String) -> String {
    if let known = lists[other] { return known }
    guard
      let list = old.numbering?.elements.first(where: {
        $0.name == "w:num" && $0["w:numId"] == other
      })
    else { return other }
    let used = (new.numbering?.elements ?? []).compactMap { $0["w:numId"].flatMap { Int($0) } }
    let copy = list.copy
    let number = String((used.max() ?? 0) + added.count + 1)
    copy["w:numId"] = number
    added.append(copy)
    lists[other] = number
    return number
  }

  /// Whether a paragraph is another kind of block in the original text: a heading, an item of another list.
  ///
  /// How far paragraphs are apart is not part of that.
  func isAnotherBlock(_ new: XML?, _ old: XML?) -> Bool {
    kind(new, self.new) != kind(old, self.old)
  }

  private func kind(_ properties: XML?, _ package: DocxPackage) -> String {
    let parts = (properties?.elements ?? []).map { element in
      switch element.name {
      case "w:pStyle":
        element["w:val"].map(package.plainStyles.contains) == true ? "" : element.written
      case "w:numPr":
        (element.first("w:ilvl")?["w:val"] ?? "") + " "
          + (properties?.listNumber.flatMap(package.list) ?? "")
      default: element.written
      }
    }
    return parts.joined()
  }

  /// The lists of the document and those that only the original text has; nil if there are none of these.
  var numbering: XML? {
    guard !added.isEmpty, let copy = new.numbering?.copy else { return nil }
    let known = Set(copy.elements.compactMap { $0["w:abstractNumId"] })
    let kinds = (old.numbering?.elements ?? []).filter { kind in
      kind.name == "w:abstractNum" && kind["w:abstractNumId"].map { !known.contains($0) } == true
    }
    // The kinds of lists come first.
    let place = copy.elements.firstIndex { $0.name == "w:num" } ?? copy.elements.count
    let elements = copy.elements
    copy.children = (elements[..<place] + kinds + elements[place...] + added).map(XML.Node.element)
    return copy
  }

  /// The styles of the document and those that only the original text has; nil if there are none of these.
  var styles: XML? {
    guard let copy = new.styles?.copy else { return nil }
    let known = Set(copy.elements.compactMap { $0["w:styleId"] })
    let more = (old.styles?.elements ?? []).filter { style in
      style["w:styleId"].map { !known.contains($0) } == true
    }
    guard !more.isEmpty else { return nil }
    copy.children += more.map(XML.Node.element)
    return copy
  }
}

extension XML {
  /// The number of the list that a paragraph with these properties is in.
  fileprivate var listNumber: String? { first("w:numPr")?.first("w:numId")?["w:val"] }
}
