import TrackEngine

extension [UInt8] {
  /// The text with a line break at its end: the one it has, else one like its others.
  var withLastLineBreak: [UInt8] {
    guard last != UInt8(ascii: "\n"), last != UInt8(ascii: "\r") else { return self }
    return self + Array("\n".utf8).withLineEnds(of: self)
  }
}
