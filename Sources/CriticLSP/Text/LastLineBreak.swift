import TrackEngine

extension [UInt8] {
  /// The text with a line break at its end: the one it has, else one like its others.
  var withLastLineBreak: [UInt8] {
    endsWithLineBreak ? self : self + Array("\n".utf8).withLineEnds(of: self)
  }

  /// The text without the line break at its end, if it has one.
  var withoutLastLineBreak: [UInt8] {
    guard endsWithLineBreak else { return self }
    return Array(dropLast(suffix(2).elementsEqual("\r\n".utf8) ? 2 : 1))
  }

  /// The text with a line break at its end if another text has one there, and without if that has none.
  func ending(like other: [UInt8]) -> [UInt8] {
    other.endsWithLineBreak ? withLastLineBreak : withoutLastLineBreak
  }

  private var endsWithLineBreak: Bool { last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") }
}
