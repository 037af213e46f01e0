import JSONRPC
import TrackEngine

/// Answers `textDocument/foldingRange`: deletions and comments of several lines.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - foldable: The ranges found last; updated.
/// - Returns: The ranges that the client can fold.
func foldingRanges(
  _ snapshot: Snapshot,
  _ params: TextDocumentParams,
  _ foldable: inout Kept<Foldable>
) -> FoldingRanges {
  // Where the marks are beside the text, nothing of them takes lines.
  guard snapshot.showsMarks else { return FoldingRanges(snapshot: snapshot, folds: []) }
  var folds: [Fold] = []
  for stretch in foldable.update(snapshot.tracker, Foldable.find) {
    let isOfLines = snapshot.client.foldsLinesOnly
    let fold = Fold(stretch, in: snapshot.text, isOfLines: isOfLines)
    // Editors can fold only one range that begins on a line.
    guard let fold, folds.last?.firstLine != fold.firstLine else { continue }
    folds.append(fold)
  }
  return FoldingRanges(snapshot: snapshot, folds: folds.prefix(snapshot.client.maxFolds))
}

/// A list of `FoldingRange`, each made when it is written.
struct FoldingRanges: JSONWritable {
  fileprivate let snapshot: Snapshot
  fileprivate let folds: ArraySlice<Fold>

  func write(to writer: inout JSONWriter) {
    writer.array {
      for fold in folds { range(fold).write(to: &$0) }
    }
  }

  private func range(_ fold: Fold) -> FoldingRange {
    FoldingRange(
      range: snapshot.conversions.positions(of: fold.range),
      kind: fold.stretch.kind == .comment ? .comment : .region,
      collapsedText: snapshot.client.showsFoldedText ? fold.collapsedText(in: snapshot.text) : nil
    )
  }
}

extension UInt8 {
  fileprivate var isOfLineBreak: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

/// A stretch of several lines that can be folded.
struct Foldable: Placed {
  var kind: MarkKind
  var range: Range<Int>
  /// How many marks it joins.
  var count = 1

  /// Finds them in an excerpt, in offsets of the buffer.
  fileprivate static func find(in excerpt: Excerpt) -> [Foldable] {
    excerpt.reading.foldable.compactMap { foldable in
      guard excerpt.bytes[foldable.range].contains(where: \.isOfLineBreak) else { return nil }
      var foldable = foldable
      foldable.range = excerpt.inBuffer(foldable.range)
      return foldable
    }
  }
}

/// A stretch as the client folds it.
private struct Fold {
  var stretch: Foldable
  /// What is hidden; clients that fold whole lines still show the rest of the first line.
  var range: Range<Int>
  var firstLine: Int
  var lineCount: Int

  /// Nil if the stretch hides no line.
  init?(_ stretch: Foldable, in text: Text, isOfLines: Bool) {
    self.stretch = stretch
    range = stretch.range
    firstLine = text.line(at: range.lowerBound)
    var lastLine = text.line(at: range.upperBound)
    lineCount = lastLine - firstLine + 1
    if isOfLines, lastLine > firstLine {
      // The last line can be hidden only if nothing but the closing delimiter follows on it.
      let end = text.end(ofLine: lastLine)
      let rest = text[min(range.upperBound + 3, end)..<end]
      if rest.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) {
        lastLine -= 1
        range = range.lowerBound..<text.end(ofLine: lastLine)
      }
    }
    guard lastLine > firstLine else { return nil }
  }

  /// The text shown in place of the folded range.
  func collapsedText(in text: Text) -> String {
    let text = Array(text[stretch.range])
    let what =
      stretch.count > 1 && stretch.kind == .comment
      ? "\(stretch.count) comments" : ChangeWords(stretch.kind, text, [], text).sentence
    return "\(what), \(lineCount) lines"
  }
}

extension Reading {
  /// Deleted text, threads, and the comments of threads, without the outer delimiters; in the order of the
  /// text, threads before their comments.
  fileprivate var foldable: [Foldable] {
    var found: [Foldable] = []
    var index = 0
    while index < marks.count {
      let first = marks[index]
      index += 1
      if let old = first.old, first.kind == .substitution {
        found.append(Foldable(kind: .deletion, range: old))
      }
      guard first.kind == .deletion || first.kind == .comment else { continue }
      var run = [first]
      index += first.inner
      while index < marks.count, marks[index].kind == first.kind,
        marks[index].start == run[run.count - 1].end
      {
        run.append(marks[index])
        index += 1 + marks[index].inner
      }
      let range = first.content.lowerBound..<run[run.count - 1].content.upperBound
      found.append(Foldable(kind: first.kind, range: range, count: run.count))
      guard first.kind == .comment, run.count > 1 else { continue }
      found += run.map { Foldable(kind: .comment, range: $0.content) }
    }
    return found
  }
}
