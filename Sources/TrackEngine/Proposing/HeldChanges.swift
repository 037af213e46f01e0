/// Changes of the text that an addition or a substitution shows: none of it is original, so the text is changed in its
/// place.
///
/// What somebody else has signed stays theirs: their addition is parted around what is put into it.
struct HeldChanges {
  private let changes: [ProposedChange]
  private let index: Int
  private let mark: Mark
  private let spelling: ProposalSpelling
  /// The text that the mark shows afterwards, and the text before it.
  private let new: [UInt8]
  private let old: [UInt8]

  init(_ changes: [ProposedChange], in index: Int, of spelling: ProposalSpelling) {
    self.changes = changes
    self.index = index
    self.spelling = spelling
    mark = spelling.marks[index]
    let source = spelling.source
    let seen = source.range(ofMarkup: mark.range)
    new = Array(source.bytes[seen]).applying(
      changes.map { Edit($0.range.moved(by: -seen.lowerBound), $0.new) }
    )
    old = spelling.original(of: index)
  }

  private var language: Language { spelling.source.reading.language }

  /// The edits of the marked-up text.
  func edits(with strategy: Strategy) -> [Edit] {
    let comments = changes.flatMap { $0.writtenComments(as: language) }
    if new == old {
      let reasons = changes.flatMap { $0.writtenReasons(as: language) }
      return [Edit(mark.range, old + reasons + spelling.comments(in: index))]
    }
    if mark.kind == .addition, let signer { return parted(from: signer, with: strategy) }
    guard strategy == .plain, !new.isEmpty else {
      let written = strategy.printed(old, new, as: language)
      return [Edit(mark.range, written + comments + spelling.comments(in: index))]
    }
    let edits = changes.flatMap { spelling.source.edits(replacing: $0.range, by: $0.new) }
    return edits + (comments.isEmpty ? [] : [Edit(mark.end..<mark.end, comments)])
  }

  /// Who else has signed the mark, if we sign what we put into it; nil if nobody has, or if it cannot be parted.
  private var signer: String? {
    guard let author = spelling.author, !mark.hasMetadata, mark.inner == 0 else { return nil }
    guard let first = spelling.source.reading.thread(behind: index).first,
      let signer = CommentHead(of: spelling.bytes[spelling.marks[first].content]).author,
      signer != CommentHead.shown(author.name)
    else { return nil }
    return signer
  }

  /// A piece of the parted addition.
  private enum Piece {
    case theirs([UInt8])
    case ours([UInt8], comments: [UInt8])
  }

  private func parted(from signer: String, with strategy: Strategy) -> [Edit] {
    var pieces: [Piece] = []
    // Why text of theirs is gone: that is said behind what they say.
    var reasons: [UInt8] = []
    func keep(_ text: ArraySlice<UInt8>) {
      if text.isEmpty { return }
      if case .theirs(let known) = pieces.last {
        pieces[pieces.count - 1] = .theirs(known + text)
      } else {
        pieces.append(.theirs(Array(text)))
      }
    }
    var at = mark.content.lowerBound
    let shift = at - spelling.source.offset(ofMarkup: at)
    for change in changes {
      let place = change.range.moved(by: shift)
      keep(spelling.bytes[at..<place.lowerBound])
      if change.new.isEmpty {
        reasons += change.writtenReasons(as: language)
      } else {
        pieces.append(.ours(change.new, comments: change.writtenComments(as: language)))
      }
      at = place.upperBound
    }
    keep(spelling.bytes[at..<mark.content.upperBound])
    let last = pieces.lastIndex { if case .theirs = $0 { true } else { false } }
    var written: [UInt8] = []
    var behind: [UInt8] = []
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .theirs(let text):
        written += strategy.printed([], text, as: language)
        if index != last { written += Attribution(author: signer).comment }
      case .ours(let text, let comments):
        let marks = strategy.printed([], text, as: language) + comments
        if index > last ?? pieces.count { behind += marks } else { written += marks }
      }
    }
    let end = spelling.source.reading.threadEnd(behind: index)
    let edits = [Edit(mark.range, written), Edit(end..<end, reasons + behind)]
    return edits.filter { !$0.range.isEmpty || !$0.new.isEmpty }
  }
}
