import JSONRPC
import TrackEngine

/// Deletions and comments of several lines, folded away.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - foldable: What can be folded, as it was last; brought up to date.
/// - Returns: What the client can fold.
func foldingRanges(
  _ snapshot: Snapshot,
  _ params: FoldingRangeParams,
  _ foldable: inout Kept<Foldable>
) -> FoldingRanges {
  var folds: [Fold] = []
  for stretch in foldable.update(snapshot.tracker, Foldable.find) {
    let isOfLines = snapshot.client.foldsLinesOnly
    let fold = Fold(stretch, in: snapshot.text, isOfLines: isOfLines)
    // Of two that begin on one line, editors can fold but one.
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

/// A stretch of several lines that can be folded, and what it is.
struct Foldable: Placed {
  var kind: MarkKind
  var range: Range<Int>
  /// How many marks it is of.
  var count = 1

  /// What there is in a stretch of the buffer, in offsets of that.
  fileprivate static func find(in excerpt: Excerpt) -> [Foldable] {
    excerpt.reading.foldable.compactMap { foldable in
      guard excerpt.bytes[foldable.range].contains(where: \.isOfLineBreak) else { return nil }
      var foldable = foldable
      foldable.range = excerpt.place(of: foldable.range)
      return foldable
    }
  }
}

/// A stretch of several lines that is folded.
private struct Fold {
  var stretch: Foldable
  /// What is hidden, but for the rest of the first line where only lines are folded.
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
      // The delimiter after it goes along, but nothing else on its line.
      let end = text.end(ofLine: lastLine)
      let rest = text[min(range.upperBound + 3, end)..<end]
      if rest.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) {
        lastLine -= 1
        range = range.lowerBound..<text.end(ofLine: lastLine)
      }
    }
    guard lastLine > firstLine else { return nil }
  }

  /// What stands in the place of what is folded.
  func collapsedText(in text: Text) -> String {
    let text = clipped(Array(text[stretch.range]))
    let lines = "\(lineCount) lines"
    guard stretch.kind == .comment else { return "Deleted “\(text)”, \(lines)" }
    return stretch.count > 1
      ? "\(stretch.count) comments, \(lines)" : "Comment “\(text)”, \(lines)"
  }
}

extension Reading {
  /// What was deleted, the threads, and the comments of a thread, each with its delimiters left out;
  /// by where they begin, threads before their comments.
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
