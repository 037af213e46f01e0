/// Changes that are written together: one, or several in the text of one addition or substitution.
struct ProposedMarks {
  /// How marks are written where the plain form reads as something else; later ones are tried when earlier ones fail.
  static let strategies = Strategy.withLastResort

  /// The changes, in order.
  var parts: [ProposedChange]
  /// The stretch of the marked-up text that is written anew, or lies between what is.
  var region: Range<Int>
  /// The index of the addition or substitution that holds them; nil if none does.
  var holder: Int?
}

extension Strategy {
  /// The marks that say that `old` was replaced by `new`.
  func printed(_ old: [UInt8], _ new: [UInt8], as language: Language) -> [UInt8] {
    let texts = Texts(settled: old, buffer: new, language)
    let spans = [
      Span(kind: .deleted, source: .settled(old.indices)),
      Span(kind: .added, source: .typed(new.indices)),
    ]
    return texts.bytes(of: Printer(spans.filter { !$0.range.isEmpty }, in: texts, self).output)
  }
}
