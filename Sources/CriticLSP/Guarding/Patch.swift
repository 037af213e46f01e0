/// A patch in the form of Codex's tool `apply_patch`: for each file, hunks that are found by the lines in them.
struct Patch {
  /// The change of one file.
  struct Update {
    let path: Path
    fileprivate(set) var hunks: [Hunk] = []
  }

  struct Hunk {
    /// A line before it, if one is named.
    var after: [UInt8]?
    var old: [[UInt8]] = []
    var new: [[UInt8]] = []
  }

  /// The files that are changed in place.
  private(set) var updates: [Update] = []
  /// What else it does, in words; nil if that is all.
  private(set) var besides: String?

  init(_ bytes: [UInt8]) {
    for line in bytes.lines {
      if let path = line.path(after: "*** Update File: ") {
        updates.append(Update(path: path))
      } else if let path = line.path(after: "*** Add File: ") ?? line.path(
        after: "*** Delete File: "
      )
        ?? line.path(after: "*** Move to: ")
      {
        besides = "adds, deletes or moves \(path)"
      } else if line.starts(with: "***".utf8) || updates.isEmpty {
        continue
      } else {
        updates[updates.count - 1].read(line)
      }
    }
  }
}

extension Patch.Update {
  fileprivate mutating func read(_ line: [UInt8]) {
    if line.starts(with: "@@".utf8) {
      let after = line.dropFirst(3)
      return hunks.append(Patch.Hunk(after: after.isEmpty ? nil : Array(after)))
    }
    if hunks.isEmpty { hunks.append(Patch.Hunk()) }
    let text = Array(line.dropFirst())
    // Some write an empty line of context without its space.
    let sign = line.first ?? UInt8(ascii: " ")
    if sign != UInt8(ascii: "+") { hunks[hunks.count - 1].old.append(text) }
    if sign != UInt8(ascii: "-") { hunks[hunks.count - 1].new.append(text) }
  }

  /// The text with it; nil if its lines are not there.
  func made(of text: [UInt8]) -> [UInt8]? {
    // Line ends are the file's.
    let end: [UInt8] = text.firstRange(of: Array("\r\n".utf8)) == nil ? [0x0A] : [0x0D, 0x0A]
    var lines = text.lines
    var at = 0
    for hunk in hunks {
      if let after = hunk.after {
        guard let found = lines.place(of: [after], from: at) else { return nil }
        at = found + 1
      }
      let found = hunk.old.isEmpty ? (hunk.after == nil ? lines.count : at) : nil
      guard let place = found ?? lines.place(of: hunk.old, from: at) else { return nil }
      lines.replaceSubrange(place..<place + hunk.old.count, with: hunk.new)
      at = place + hunk.new.count
    }
    let isEnded = text.isEmpty || text.last == 0x0A
    return Array(lines.joined(separator: end)) + (isEnded && !lines.isEmpty ? end : [])
  }
}

extension [[UInt8]] {
  /// Where lines are, at or after one; blanks at their ends do not count if they are nowhere as they are.
  fileprivate func place(of lines: [[UInt8]], from start: Int) -> Int? {
    guard count >= lines.count + start else { return nil }
    let places = start...(count - lines.count)
    return places.first { self[$0..<$0 + lines.count].elementsEqual(lines) }
      ?? places.first { place in
        zip(self[place...], lines).allSatisfy { $0.withoutBlanksAtEnd == $1.withoutBlanksAtEnd }
      }
  }
}

extension [UInt8] {
  /// The lines without their ends.
  fileprivate var lines: [[UInt8]] {
    var lines = split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      Array(line.last == 0x0D ? line.dropLast() : line)
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  fileprivate var withoutBlanksAtEnd: ArraySlice<UInt8> {
    self[..<((lastIndex { $0 != 0x20 && $0 != 0x09 } ?? -1) + 1)]
  }

  fileprivate func path(after start: StaticString) -> Path? {
    let start = start.description.utf8
    return starts(with: start) ? Path(dropFirst(start.count)) : nil
  }
}
