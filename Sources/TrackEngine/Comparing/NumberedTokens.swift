/// Tokens represented by numbers, for comparison with those of another text.
struct NumberedTokens {
  /// Equal for equal tokens.
  private(set) var numbers: [Int32] = []
  /// Equal also for tokens that can be exchanged: a text with different line breaks is the same text, and so is
  /// a list with other markers.
  private(set) var classes: [Int32] = []
  /// The worth of keeping each token.
  let worths: [Int32]
  /// The additional worth of keeping each token, if it is beside a mark.
  private(set) var extras: [Int32]

  private static let besideMark: Int32 = 9

  /// Numbers tokens.
  ///
  /// - Parameters:
  ///   - tokens: The tokens.
  ///   - numbering: The numbering shared by both texts.
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
      classes.append(tokens.sharedClass(of: token) ?? number)
    }
  }
}

extension WordTokens {
  /// The class of all tokens like one; nil if it can only be exchanged for its equal.
  fileprivate func sharedClass(of token: Int) -> Int32? {
    switch kinds[token] {
    case .space, .softBreak: -1
    case .marker: isHeading(token) ? -2 : -3
    case .address: -4
    default: nil
    }
  }
}
