/// The styles and lists of a Word document, as far as its text uses them.
///
/// Word writes hundreds that nothing uses, and pandoc reads them all each time.
struct WordStyles {
  /// The root of the styles that are used, and of those that these are based on.
  let styles: XML?
  /// The root of the lists that are used.
  let numbering: XML?

  /// Chooses what some parts with text use.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - styles: The root of all styles; it is changed.
  ///   - numbering: The root of all lists; it is changed.
  ///   - parts: The roots of the parts.
  init(_ styles: XML?, _ numbering: XML?, usedBy parts: [XML]) {
    var lists: Set<String> = []
    var names: [String] = []
    func look(in root: XML) {
      root.visit { element in
        guard let value = element["w:val"] else { return }
        switch element.name {
        case "w:pStyle", "w:rStyle", "w:tblStyle": names.append(value)
        case "w:numId": lists.insert(value)
        default: break
        }
      }
    }
    parts.forEach(look)
    if let styles {
      let all = styles.elements.filter { $0.name == "w:style" }
      let known = Dictionary(grouping: all) { $0["w:styleId"] ?? "" }
      // Those of lists are named in the lists.
      names += all.filter { $0["w:default"] != nil || $0["w:type"] == "numbering" }
        .map { $0["w:styleId"] ?? "" }
      var kept: Set<String> = []
      while let name = names.popLast() {
        guard kept.insert(name).inserted else { continue }
        for style in known[name] ?? [] {
          names += ["w:basedOn", "w:link"].compactMap { style.first($0)?["w:val"] }
        }
      }
      styles.children = styles.elements.filter { element in
        element.name != "w:latentStyles"
          && (element.name != "w:style" || kept.contains(element["w:styleId"] ?? ""))
      }.map(XML.Node.element)
      look(in: styles)
    }
    if let numbering {
      let used = numbering.elements.filter { $0.name == "w:num" && lists.has($0["w:numId"]) }
      let kinds = Set(used.compactMap { $0.first("w:abstractNumId")?["w:val"] })
      numbering.children = numbering.elements.filter { element in
        switch element.name {
        case "w:num": lists.has(element["w:numId"])
        case "w:abstractNum": kinds.has(element["w:abstractNumId"])
        default: true
        }
      }.map(XML.Node.element)
    }
    (self.styles, self.numbering) = (styles, numbering)
  }
}

extension Set<String> {
  /// Whether a name is there, and is one of them.
  fileprivate func has(_ name: String?) -> Bool { name.map(contains) ?? false }
}
