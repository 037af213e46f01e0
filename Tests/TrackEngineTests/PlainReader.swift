import Foundation

@testable import TrackEngine

/// Reads CriticMarkup rule by rule, with no thought for time: what ``Parser`` finds is compared with it.
struct PlainReader {
  private(set) var marks: [Mark] = []
  private(set) var zones: [CodeZone] = []
  private let bytes: Bytes
  private let delimiters: [Delimiter]
  private let runs: [Range<Int>]
  /// Where the last run ends that was passed, and the last block.
  private var passed = 0
  private var lineStart = 0
  /// Where the delimiter ends that counted last.
  private var consumed = 0
  /// The delimiter for which code was rejected last.
  private var hidden: Delimiter?
  /// The marks that are open.
  private var open: [Open] = []

  private struct Open {
    var opener: Delimiter
    var arrow = -1

    func canClose(_ kind: MarkKind) -> Bool {
      opener.mark == kind && (kind != .substitution || arrow >= 0)
    }
  }

  /// Reads a text; cubic.
  init(_ bytes: Bytes) {
    self.bytes = bytes
    delimiters = Self.delimiters(in: bytes)
    runs = bytes.codeRuns(.markdown)
    var at = 0
    while at < bytes.count {
      guard let run = runs.first(where: { $0.lowerBound >= at }) else {
        read(at..<bytes.count)
        break
      }
      read(at..<run.lowerBound)
      at = run.upperBound
      let zone = code(at: run)
      let reason = zone.flatMap { reasonToReject($0) }
      hidden = reason ?? hidden
      if let zone, reason == nil {
        zones.append(zone)
        pass(zone)
        at = zone.range.upperBound
      } else {
        passed = at
        // The run can hold a `~>`.
        read(run)
      }
    }
    let tails = marks.map { tailLength(of: $0) }
    for index in marks.indices {
      marks[index].headLength = headLength(of: marks[index])
      marks[index].tailLength = tails[index]
      marks[index].end += tails[index]
    }
    marks.sort { $0.start < $1.start }
    let comments = marks.filter { $0.kind == .comment }
    marks.removeAll { mark in
      mark.kind != .comment
        && comments.contains { $0.start < mark.start && mark.end <= $0.end }
    }
    for index in marks.indices {
      let mark = marks[index]
      marks[index].depth = marks[..<index].count { $0.end > mark.start }
      marks[index].inner = marks[(index + 1)...].count { $0.start < mark.end }
    }
  }

  /// A JSON object with `@@` after it, in one line, with nothing in its strings that means anything.
  private func headLength(of mark: Mark) -> Int {
    let content = String(decoding: bytes[mark.opener.upperBound..<mark.end - 3], as: UTF8.self)
    guard content.hasPrefix("{"), let line = content.split(separator: "\n").first else { return 0 }
    var end = line.startIndex
    while let sign = line[end...].range(of: "}@@") {
      let object = line[..<sign.lowerBound] + "}"
      end = line.index(after: sign.lowerBound)
      let json = try? JSONSerialization.jsonObject(with: Data(object.utf8))
      guard json is [String: Any] else { continue }
      let strings = object.matches(of: /"(\\.|[^"\\])*"/).map(\.output.0)
      return strings.contains { $0.contains(/[{}`~]/) } ? 0 : object.utf8.count + 2
    }
    return 0
  }

  /// As many as there are of `{#s1}`, `{id="s1" by="…"}` and `[^cn-1]`, but no reference to a footnote that is the
  /// writer's own, and nothing behind one.
  private func tailLength(of mark: Mark) -> Int {
    let rest = String(decoding: bytes[mark.end...], as: UTF8.self)
    let id = "[A-Za-z0-9_.:-]*[A-Za-z0-9_]"
    let attribute = "\(id)=(?:\(id)|\"[^\"{}`~\\x00-\\x1f]*\")"
    let short = "[A-Za-z][0-9]+"
    // Of several ids the last one counts.
    let names = "(?=[^}]*\\bid=\"?\(short)[\" }])(?![^}]*\\bid=.*\\bid=)"
    let attributes = "\\{\(names)\(attribute)(?: +\(attribute))*\\}"
    let reference = "\\[\\^cn-[0-9]+(?:\\.[0-9]+)?\\]"
    let tail = try? Regex("\\{#\(short)\\}|\(reference)|\(attributes)")
    var at = rest.startIndex
    while let tail, let found = rest[at...].prefixMatch(of: tail) {
      let text = rest[found.range]
      if text.hasPrefix("["), ownFootnotes.contains(String(text)) { break }
      at = found.range.upperBound
    }
    return rest[..<at].utf8.count
  }

  /// The references to footnotes whose definition, outside code and marks, does not begin with a name and a date.
  private var ownFootnotes: Set<String> {
    var own: Set<String> = []
    let delimiter = #"(?:\{\+\+|\{--|\{~~|\{==|\{>>|\+\+\}|--\}|~~\}|==\}|<<\})"#
    let signed = try? Regex(
      "^[ \t]*\(delimiter)*@\(delimiter)*[^ \t|][^|]*\\|[ \t]*\(delimiter)*[0-9]"
    )
    var line = 0
    while line < bytes.count {
      let next = bytes.lineEnd(after: line)
      defer { line = next }
      let text = String(decoding: bytes[line..<next], as: UTF8.self)
      guard let name = text.prefixMatch(of: /( {0,3})(\[\^cn-[0-9]+(?:\.[0-9]+)?\]):/),
        !zones.contains(where: { $0.range.contains(line) }),
        !marks.contains(where: { $0.start <= line && line < $0.end }),
        let signed, text[name.range.upperBound...].prefixMatch(of: signed) == nil
      else { continue }
      own.insert(String(name.output.2))
    }
    return own
  }

  private mutating func pass(_ zone: CodeZone) {
    passed = zone.range.upperBound
    if zone.isFenced { lineStart = passed }
  }

  /// Every delimiter spelled in a text: no opener behind a backslash or a caret, and none that begins a group.
  private static func delimiters(in bytes: Bytes) -> [Delimiter] {
    var found: [Delimiter] = []
    var blocked = 0
    for at in bytes.indices {
      if let opener = bytes.openerDelimiter(at: at) {
        if bytes.isText(openerAt: at) {
          blocked = opener.end
        } else if beginsGroup(opener, in: bytes) {
          if !opener.beforeBrace { blocked = opener.end }
        } else {
          found.append(opener)
        }
      }
      if at >= blocked, let kind = bytes.closer(at: at) {
        found.append(Delimiter(offset: at, role: .closer, mark: kind))
      }
      if at >= blocked, bytes.arrow(at: at) {
        found.append(Delimiter(offset: at, role: .arrow, mark: .substitution))
      }
    }
    return found
  }

  /// Whether an opener is that of a group: its brace and that of the first closer, if there is one in the paragraph, are
  /// paired with others.
  private static func beginsGroup(_ opener: Delimiter, in bytes: Bytes) -> Bool {
    let before = String(decoding: bytes[..<opener.offset], as: UTF8.self)
    let signs = Array(bytes[(opener.end - 1)...].prefix(3))
    let isBare =
      signs.dropFirst().first == Ascii.close
      || signs.count == 3 && signs[0] == signs[1] && signs[2] == Ascii.close
    let isArgument = before.suffix(64).contains(/(?:^|[^\\])(?:\\\\)*\\[A-Za-z]{1,32}$/)
    guard isBare || isArgument else { return false }
    let limit = min(
      bytes.blankLine(after: opener.offset) ?? bytes.count,
      opener.offset + 4096
    )
    var open: [Int] = []
    var partners: [Int: Int] = [:]
    for at in opener.offset..<limit where bytes[at].isBrace && !bytes.isEscaped(at) {
      if bytes[at] == Ascii.open {
        open.append(at)
        continue
      }
      if at >= opener.end + 2, bytes.closer(at: at - 2) == opener.mark {
        return partners[opener.offset] != nil && !open.isEmpty
      }
      if let start = open.popLast() { partners[start] = at }
    }
    return partners[opener.offset] != nil
  }

  private func code(at run: Range<Int>) -> CodeZone? { code(at: run, passed, lineStart) }

  private func code(at run: Range<Int>, _ passed: Int, _ lineStart: Int) -> CodeZone? {
    var finder = CodeFinder(bytes, .markdown)
    finder.pass(CodeZone(range: 0..<lineStart, isFenced: true))
    finder.pass(0..<passed)
    return finder.code(at: run)?.zone
  }

  private mutating func read(_ stretch: Range<Int>) {
    let known = max(zones.last?.range.upperBound ?? 0, consumed)
    for delimiter in delimiters
    where stretch.contains(delimiter.offset) && delimiter.offset >= max(known, consumed) {
      read(delimiter)
    }
  }

  private mutating func read(_ delimiter: Delimiter) {
    switch delimiter.role {
    case .opener:
      if delimiter.beforeBrace, open.contains(where: { $0.canClose(delimiter.mark) }) { return }
      open.append(Open(opener: delimiter))
    case .arrow:
      guard let last = open.last, last.opener.mark == .substitution, last.arrow < 0 else { return }
      open[open.count - 1].arrow = delimiter.offset
    case .closer:
      guard let index = open.lastIndex(where: { $0.canClose(delimiter.mark) }) else { return }
      let (opener, arrow) = (open[index].opener, open[index].arrow)
      open.removeSubrange(index...)
      marks.append(
        Mark(
          kind: delimiter.mark,
          start: opener.offset,
          end: delimiter.end,
          arrow: arrow,
          depth: 0,
          inner: 0,
          attributesLength: opener.attributesLength
        )
      )
    }
    consumed = delimiter.end
  }

  /// A closer in code that does not come again before the first blank line after the code.
  private func reasonToReject(_ zone: CodeZone) -> Delimiter? {
    var inside: [Open] = []
    var end = 0
    var isDivided = false
    let again = closers(after: zone)
    // Once it counts, it is in no code.
    if let hidden, zone.range.contains(hidden.offset),
      open.contains(where: { $0.canClose(hidden.mark) }),
      !again.contains(where: { $0.role == .closer && $0.mark == hidden.mark })
    {
      return hidden
    }
    let all = Self.delimiters(in: Bytes(rebasing: bytes[..<zone.range.upperBound]))
    for delimiter in all where zone.range.holds(delimiter.offset..<delimiter.end) {
      guard delimiter.offset >= end else { continue }
      let kind = delimiter.mark
      switch delimiter.role {
      case .opener:
        if delimiter.beforeBrace, (inside + open).contains(where: { $0.canClose(kind) }) {
          continue
        }
        inside.append(Open(opener: delimiter))
        end = delimiter.end
      case .arrow:
        if let last = inside.last {
          if last.opener.mark == .substitution, last.arrow < 0 {
            inside[inside.count - 1].arrow = delimiter.offset
          }
        } else if let last = open.last, last.opener.mark == .substitution, last.arrow < 0,
          !isDivided
        {
          isDivided = true
          if again.contains(where: { $0.role == .closer && $0.mark == .substitution }),
            !again.contains(where: { $0.role == .arrow })
          {
            return delimiter
          }
        }
      case .closer:
        if let index = inside.lastIndex(where: { $0.canClose(kind) }) {
          inside.removeSubrange(index...)
          end = delimiter.end
          continue
        }
        let isOurs = isDivided && kind == .substitution
        guard isOurs || open.contains(where: { $0.canClose(kind) }) else { continue }
        if !again.contains(where: { $0.role == .closer && $0.mark == kind }) { return delimiter }
      }
    }
    return nil
  }

  /// The closers and arrows between code and the next blank line that no opener there takes, code left out.
  private func closers(after zone: CodeZone) -> [Delimiter] {
    let limit = bytes.blankLine(after: zone.range.upperBound) ?? bytes.count
    let window = Bytes(rebasing: bytes[..<limit])
    var at = zone.range.upperBound
    var passed = at
    var lineStart = zone.isFenced ? at : 0
    var left: [Delimiter] = []
    var consumed = at
    func look(_ stretch: Range<Int>) {
      for delimiter in Self.delimiters(in: window)
      where stretch.contains(delimiter.offset) && delimiter.offset >= consumed {
        // In the mark that is to be closed it is a brace and a closer.
        if delimiter.beforeBrace { continue }
        consumed = delimiter.end
        left.append(delimiter)
      }
    }
    for run in runs where run.lowerBound >= zone.range.upperBound && run.lowerBound < limit {
      guard run.lowerBound >= at else { continue }
      look(at..<run.lowerBound)
      at = run.upperBound
      if let next = code(at: run, passed, lineStart) {
        at = next.range.upperBound
        if next.isFenced { lineStart = at }
        passed = at
        consumed = at
      } else {
        passed = at
        look(run)
      }
    }
    if at < limit { look(at..<limit) }
    return MarkKind.allCases.flatMap { unpaired(left, .closer, $0) }
      + unpaired(left, .arrow, .substitution)
  }

  /// Those of a role that no opener takes.
  private func unpaired(_ all: [Delimiter], _ role: Delimiter.Role, _ kind: MarkKind) -> [Delimiter]
  {
    var openers = 0
    return all.filter { delimiter in
      guard delimiter.mark == kind else { return false }
      if delimiter.role == .opener { openers += 1 }
      guard delimiter.role == role else { return false }
      openers -= 1
      defer { openers = max(0, openers) }
      return openers < 0
    }
  }
}
