@testable import TrackEngine

// In the tests, a text whose language is not given is Markdown.

extension Draft {
  init(_ text: Text, grain: Int = Cutting.usualGrain) {
    self.init(text, .markdown, grain: grain)
  }
}

extension ParsedText {
  init(_ bytes: [UInt8], areSigned: Bool = false) {
    self.init(bytes, as: .markdown, areSigned: areSigned)
  }
}

extension VariantText {
  init(_ variant: Variant, of markup: [UInt8]) {
    self.init(variant, of: markup, as: .markdown)
  }
}

extension Comparison {
  init(_ old: [UInt8], _ new: [UInt8]) {
    self.init(old, new, as: .markdown)
  }
}

extension AnnotatedText {
  init(_ bytes: [UInt8]) {
    self.init(bytes, as: .markdown)
  }
}

extension [UInt8] {
  func hasVariants(_ original: [UInt8], _ clean: [UInt8], as language: Language = .markdown) -> Bool
  {
    Claim(clean: clean, original: original).isKept(by: self, as: language)
  }
}
