import TrackEngine

/// The lines that edits change, before and after, as `diff` shows them.
struct EditPreview {
  private(set) var bytes: [UInt8] = []
  private let isColored: Bool

  /// - Parameters:
  ///   - edits: Sorted and disjoint.
  ///   - source: The text before them.
  ///   - path: The file's name, shown with the number of the first line.
  ///   - isColored: Whether to show removed text in red and inserted text in green.
  init(_ edits: [Edit], of source: [UInt8], in path: Path, isColored: Bool) {
    self.isColored = isColored
    var cursor = LineCursor(source)
    var index = 0
    while index < edits.count {
      let start = source.lineStart(before: edits[index].range.lowerBound)
      var end = source.lineEnd(after: edits[index].range.upperBound)
      var last = index + 1
      while last < edits.count, edits[last].range.lowerBound < end {
        end = max(end, source.lineEnd(after: edits[last].range.upperBound))
        last += 1
      }
      let old = Array(source[start..<end])
      let inside = edits[index..<last].map {
        Edit($0.range.lowerBound - start..<$0.range.upperBound - start, $0.new)
      }
      add("\(path):\(cursor.place(of: start).line)", color: "1")
      add(old, sign: "-", color: "31")
      add(old.applying(inside), sign: "+", color: "32")
      index = last
    }
  }

  private mutating func add(_ lines: [UInt8], sign: String, color: String) {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      add(sign + String(decoding: line, as: UTF8.self), color: color)
    }
  }

  private mutating func add(_ line: String, color: String) {
    bytes += Array("\(line.painted(color, if: isColored))\n".utf8)
  }
}

extension [UInt8] {
  fileprivate func lineStart(before offset: Int) -> Int {
    self[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  /// The offset after the line feed that ends the line of an offset.
  fileprivate func lineEnd(after offset: Int) -> Int {
    self[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count
  }
}
