import TrackEngine

/// The last line break of a document, which the texts of a client need not have as the file has it.
struct LastLineBreak {
  /// How a client counts it.
  enum Counting {
    /// Its texts are the file's.
    case asInFile
    /// It counts one that the whole texts that it sends lack.
    case always
    /// The whole texts that it sends have one more than the file.
    case oneMore
  }

  private let counting: Counting
  /// Whether the file lacks one that the client counts, as far as it has told.
  private var isMissing = false

  /// Notes what the client does; `file` is the text of the file, as the client sent it.
  init(_ counting: Counting = .asInFile, in file: [UInt8] = []) {
    self.counting = counting
    noteFile(file)
  }

  /// Notes the text of the file, as the client sent it.
  mutating func noteFile(_ text: [UInt8]) {
    isMissing = counting == .always && text[...].lineBreakAtEnd.isEmpty
  }

  /// A whole text that the client sent: as it counts that, but for one line break too many.
  func counted(_ text: [UInt8]) -> [UInt8] {
    switch counting {
    case .asInFile: text
    case .always: text.withLastLineBreak
    case .oneMore: text.withoutLastLineBreak
    }
  }

  /// A record that was read, as the client counts its text.
  func read(_ record: [UInt8]) -> Text { Text(isMissing ? record.withLastLineBreak : record) }

  /// A record as it is written, so that its text is that of the file.
  func written(_ record: Text) -> Text {
    isMissing ? Text(record.bytes.withoutLastLineBreak) : record
  }
}

extension [UInt8] {
  /// The text with a line break at its end if another text has one there, and without if that has none.
  func ending(like other: [UInt8]) -> [UInt8] {
    other[...].lineBreakAtEnd.isEmpty ? withoutLastLineBreak : withLastLineBreak
  }

  /// The text with a line break at its end: the one it has, else one like its others.
  fileprivate var withLastLineBreak: [UInt8] {
    self[...].lineBreakAtEnd.isEmpty ? self + Array("\n".utf8).withLineEnds(of: self) : self
  }

  fileprivate var withoutLastLineBreak: [UInt8] { Array(self[...].withoutLineBreak) }
}
