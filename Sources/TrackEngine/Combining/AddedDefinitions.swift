/// Definitions of links and footnotes, such as `[a]: x` and `[^1]: text`, that copies add at one place.
///
/// They do not exclude each other, as other insertions do: each copy's are put in, and those that several have, once.
struct AddedDefinitions {
  /// A definition with the line breaks that part it from others.
  struct Definition {
    /// Its label and its bytes.
    let text: DefinitionText
    /// The copies that have it, and where it is in each.
    fileprivate(set) var places: [(version: Int, range: Range<Int>)]
  }

  /// The definitions, in an order that is that of each copy.
  private(set) var all: [Definition] = []

  /// Puts the definitions of copies together; nil if anything else is inserted, if a label is defined in two ways, or if no
  /// order is that of all copies.
  ///
  /// - Parameter insertions: The copies, the text of each, and where in it the insertion is.
  init?(in insertions: [(version: Int, text: [UInt8], range: Range<Int>)]) {
    let texts = insertions.map { $0.text[$0.range] }
    let areBehind = texts.allSatisfy { $0.first?.isLineBreak == true }
    guard areBehind || texts.allSatisfy({ $0.last?.isLineBreak == true }) else { return nil }
    for (index, text) in texts.enumerated() {
      guard let parts = text.definitions(areBehindBreaks: areBehind),
        add(parts, of: insertions[index].version)
      else { return nil }
    }
    // Links take labels for the same whatever their case and spaces.
    let names = all.map { definition in
      String(decoding: definition.text.label, as: UTF8.self).lowercased()
        .split { $0.isWhitespace || $0.isNewline }
    }
    guard Set(names).count == all.count else { return nil }
  }

  /// Adds the definitions of a copy, each before the next one that others have, too; false if their order is another one.
  private mutating func add(_ parts: [DefinitionText], of version: Int) -> Bool {
    var next = 0
    var new: [Definition] = []
    for part in parts {
      let place = (version, part.bytes.indices)
      guard let known = all.firstIndex(where: { $0.text.bytes == part.bytes }) else {
        new.append(Definition(text: part, places: [place]))
        continue
      }
      guard known >= next else { return false }
      all[known].places.append(place)
      all.insert(contentsOf: new, at: known)
      next = known + new.count + 1
      new = []
    }
    all += new
    return true
  }
}

/// The definition of a link or a footnote in a text, with line breaks before or behind it.
struct DefinitionText {
  /// What stands between its brackets.
  let label: ArraySlice<UInt8>
  let bytes: ArraySlice<UInt8>
}

extension ArraySlice<UInt8> {
  /// The definitions that it is made of.
  ///
  /// - Parameter areBehindBreaks: Whether the line breaks between two belong to the second one.
  /// - Returns: The definitions; nil if there is anything else.
  fileprivate func definitions(areBehindBreaks: Bool) -> [DefinitionText]? {
    var found: [DefinitionText] = []
    var at = startIndex
    while at < endIndex {
      let head = self[at...].drop(while: \.isLineBreak)
      guard let label = head.definitionLabel else { return nil }
      let text = self[head.startIndex..<head.endOfDefinition]
      let breaks = self[text.endIndex...].prefix(while: \.isLineBreak)
      let isLast = breaks.endIndex == endIndex
      let end = areBehindBreaks && !isLast ? text.endIndex : breaks.endIndex
      found.append(DefinitionText(label: label, bytes: self[at..<end]))
      at = end
    }
    return found
  }

  /// The label of the definition that it begins with; nil if it begins with none.
  private var definitionLabel: ArraySlice<UInt8>? {
    guard first == Ascii.bracket else { return nil }
    let label = dropFirst().prefix { !$0.isLineBreak && !"[]".utf8.contains($0) }
    let isDefinition = self[label.endIndex...].starts(with: Array("]:".utf8))
    return !label.isEmpty && isDefinition ? label : nil
  }

  /// Where the definition ends that it begins with, without its last line break: before a blank line with no indented one
  /// behind it, and before the next definition.
  ///
  /// Linear in the definition.
  public var endOfDefinition: Int {
    var (at, end) = (startIndex, startIndex)
    var isBehindBlank = false
    while at < endIndex {
      let line = self[at...].prefix { !$0.isLineBreak }
      let isBlank = line.allSatisfy(\.isSpace)
      let isIndented = line.starts(with: Array("    ".utf8)) || line.first == Ascii.tab
      if at > startIndex, !isBlank, line.definitionLabel != nil || isBehindBlank && !isIndented {
        break
      }
      if !isBlank { end = line.endIndex }
      isBehindBlank = isBlank
      at = line.endIndex
      let isPair = self[at...].starts(with: [Ascii.carriageReturn, Ascii.newline])
      if at < endIndex { at += isPair ? 2 : 1 }
    }
    return end
  }
}
