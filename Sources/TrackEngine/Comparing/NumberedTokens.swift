/// Tokens as numbers, to be compared with those of another text.
struct NumberedTokens {
  /// The same for tokens that are equal.
  private(set) var numbers: [Int32] = []
  /// The same for tokens that may go for each other too: a text that is broken into other lines is the same text.
  private(set) var classes: [Int32] = []
  /// What each is worth where it is kept.
  let worths: [Int32]
  /// What it is worth more to keep each, for a mark stands beside it.
  private(set) var extras: [Int32]

  private static let besideMark: Int32 = 9

  /// Numbers tokens.
  ///
  /// - Parameters:
  ///   - tokens: The tokens.
  ///   - numbering: What numbers those of both texts.
  init(_ tokens: WordTokens, _ numbering: inout Numbering) {
    worths = tokens.worths
    extras = Array(repeating: 0, count: tokens.count)
    for token in tokens.marked {
      if token < tokens.count { extras[token] += NumberedTokens.besideMark }
      if token > 0 { extras[token - 1] += NumberedTokens.besideMark }
    }
    numbers.reserveCapacity(tokens.count)
    classes.reserveCapacity(tokens.count)
    for token in 0..<tokens.count {
      let number = numbering.number(of: tokens.bytes(of: token))
      numbers.append(number)
      classes.append(tokens.kinds[token].isGap ? -1 : number)
    }
  }
}
