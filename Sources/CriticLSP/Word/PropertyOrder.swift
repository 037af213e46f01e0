extension XML {
  /// The properties of a paragraph in the order of the schema (ECMA-376 part 1, 17.3.1.26).
  static let paragraphProperties = [
    "pStyle", "keepNext", "keepLines", "pageBreakBefore", "framePr", "widowControl", "numPr",
    "suppressLineNumbers", "pBdr", "shd", "tabs", "suppressAutoHyphens", "kinsoku", "wordWrap",
    "overflowPunct", "topLinePunct", "autoSpaceDE", "autoSpaceDN", "bidi", "adjustRightInd",
    "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents", "suppressOverlap", "jc",
    "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl", "divId", "cnfStyle", "rPr",
    "sectPr", "pPrChange",
  ]

  /// The properties of a run in the order of the schema (17.3.2.28).
  static let runProperties = [
    "ins", "del", "moveFrom", "moveTo", "rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps",
    "smallCaps", "strike", "dstrike", "outline", "shadow", "emboss", "imprint", "noProof",
    "snapToGrid", "vanish", "webHidden", "color", "spacing", "w", "kern", "position", "sz", "szCs",
    "highlight", "u", "effect", "bdr", "shd", "fitText", "vertAlign", "rtl", "cs", "em", "lang",
    "eastAsianLayout", "specVanish", "oMath", "rPrChange",
  ]

  /// Puts the elements in it into an order, by their names without prefix.
  ///
  /// Word refuses properties in another one, which some versions of pandoc write.
  func sortChildren(by order: [String]) {
    func rank(_ element: XML) -> Int {
      order.firstIndex(of: String(element.name.drop { $0 != ":" }.dropFirst())) ?? order.count
    }
    let sorted = elements.enumerated().sorted { one, other in
      (rank(one.element), one.offset) < (rank(other.element), other.offset)
    }
    children = sorted.map { .element($0.element) }
  }
}
