import JSONRPC
import TrackEngine

extension Server {
  /// What a selection grows to: the text in a mark, the mark, the change with its thread, the
  /// paragraph, the document.
  func selectionRange(_ params: JSON?) throws(ResponseError) -> Answer {
    let list = params?["positions"]
    let positions = list?.elements.map { Position($0) }
    guard list?.kind == .array, let positions, !positions.contains(nil) else {
      throw .invalidParams("positions must be a list of LSP positions, {line, character}.")
    }
    guard let document = try openDocument(params) else { return { $0.null() } }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.array {
        for case let position? in positions {
          let offset = conversions.offset(of: position)
          let place = Place(in: document.tracker, at: offset)
          let ranges = place.selections(in: document.tracker.buffer)
          Server.write(ranges[...], conversions, to: &$0)
        }
      }
    }
  }

  /// Writes ranges, the inmost first, as a `SelectionRange` with its parents.
  private static func write(
    _ ranges: ArraySlice<Range<Int>>,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    guard let first = ranges.first else { return }
    writer.object {
      $0.key("range")
      conversions.write(first, to: &$0)
      guard ranges.count > 1 else { return }
      $0.key("parent")
      write(ranges.dropFirst(), conversions, to: &$0)
    }
  }
}

extension Place {
  /// What can be selected around the place, from inside to outside, in offsets of the buffer.
  fileprivate func selections(in text: Text) -> [Range<Int>] {
    let caret = inBuffer(offset..<offset)
    var ranges = holders.isEmpty ? [] : selectionsInMarks
    if let paragraph = text.paragraph(around: ranges.last ?? caret) { ranges.append(paragraph) }
    ranges.append(0..<text.count)
    return ranges.reduce(into: []) { kept, range in
      guard let last = kept.last else { return kept.append(range) }
      if range.holds(last), range != last { kept.append(range) }
    }
  }

  private var selectionsInMarks: [Range<Int>] {
    let changes = excerpt.reading.changes
    return holders.suffix(Place.mostLevels).reversed().flatMap { index -> [Range<Int>] in
      let mark = excerpt.reading.marks[index]
      let sides = [mark.old, mark.new, mark.content].compactMap { $0 }
      let side = sides.first { $0.lowerBound <= offset && offset <= $0.upperBound }
      let change = changes.first { $0.marks.contains(mark) || $0.thread.contains(mark) }
      return [side, mark.range, change?.range].compactMap { $0 }.map(inBuffer)
    }
  }

  /// Marks that lie deeper in each other are passed over.
  private static let mostLevels = 20
}
