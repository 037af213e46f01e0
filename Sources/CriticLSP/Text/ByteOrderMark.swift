extension [UInt8] {
  /// What can stand at the beginning of a file; editors keep it to themselves.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text as editors show it.
  var withoutByteOrderMark: [UInt8] {
    let mark = [UInt8].byteOrderMark
    return starts(with: mark) ? Array(dropFirst(mark.count)) : self
  }

  /// The text of a file as an editor has told it, with the mark that the file has.
  func withByteOrderMark(of file: [UInt8]) -> [UInt8] {
    let mark = [UInt8].byteOrderMark
    return file.starts(with: mark) && !starts(with: mark) ? mark + self : self
  }
}
