import JSONRPC
import TrackEngine

extension Server {
  /// Goes to the change that a command names, from where its arguments say, and around at the ends
  /// of the document: answers where it is, and moves the caret there where the client can do that.
  func go(
    _ command: Command,
    _ document: Document,
    _ arguments: JSON
  ) throws(ResponseError) -> Answer {
    let at = try place(arguments, document).lowerBound
    let tracker = document.tracker
    let end = tracker.buffer.count
    let found: ChangeEntry?
    switch command {
    case .previous: found = tracker.lastChange(in: 0..<at) ?? tracker.lastChange(in: at..<end + 1)
    default:
      let isWanted: (ChangeEntry) -> Bool = { command == .next || $0.isUncommented }
      found =
        tracker.firstChange(in: at + 1..<max(at, end) + 1, where: isWanted)
        ?? tracker.firstChange(in: 0..<at + 1, where: isWanted)
    }
    guard let found else { return { $0.null() } }
    show(found.range.lowerBound..<found.range.lowerBound, of: document)
    let conversions = Conversions(text: tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.object {
        $0.member("uri", document.uri)
        $0.key("range")
        conversions.write(found.range, to: &$0)
      }
    }
  }

  /// Selects a range of the buffer, or puts the caret there, where the client can do that.
  func show(_ range: Range<Int>, of document: Document) {
    guard client.showsDocuments else { return }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    send("window/showDocument", for: .other) {
      $0.object {
        $0.member("uri", document.uri)
        $0.member("takeFocus", true)
        $0.key("selection")
        conversions.write(range, to: &$0)
      }
    }
  }
}

extension Tracker {
  /// How far is looked at first; if nothing is there, four times as far.
  private static let firstReach = 4096

  /// The first change that begins in a range and is wanted; costs what lies before it.
  fileprivate func firstChange(
    in range: Range<Int>,
    where isWanted: (ChangeEntry) -> Bool
  ) -> ChangeEntry? {
    var reach = Tracker.firstReach
    while true {
      let stretch = range.clamped(to: range.lowerBound..<range.lowerBound + reach)
      let found = changes(in: stretch).first(where: isWanted)
      guard found == nil, stretch != range else { return found }
      reach *= 4
    }
  }

  /// The last change that begins in a range; costs what lies behind it.
  fileprivate func lastChange(in range: Range<Int>) -> ChangeEntry? {
    var reach = Tracker.firstReach
    while true {
      let stretch = range.clamped(to: range.upperBound - reach..<range.upperBound)
      let found = changes(in: stretch).last
      guard found == nil, stretch != range else { return found }
      reach *= 4
    }
  }

  /// The changes that begin in a range, which may reach beyond the end by one.
  private func changes(in range: Range<Int>) -> [ChangeEntry] {
    let excerpt = excerpt(around: range.clamped(to: 0..<buffer.count))
    return ChangeEntry.changes(of: self, in: excerpt).filter {
      range.contains($0.range.lowerBound)
    }
  }
}
