/// Who made a change or wrote a comment, when, and its status, as far as these are given.
public struct Attribution: Equatable, Sendable {
  /// The author's name as displayed.
  public var author: String?
  /// The date, as in `2026-11-22`, perhaps with a time.
  public var date: String?
  /// The status, in the words of the tool that keeps it.
  public var status: String?

  /// Creates an attribution in which nothing is given but what is said here.
  public init(author: String? = nil, date: String? = nil) {
    self.author = author
    self.date = date
  }

  /// The author and the date as a comment begins with them, as in `@anna | 2026-11-25`.
  public var head: String {
    ["@\(CommentHead.written(author ?? ""))", date].compactMap(\.self).joined(separator: " | ")
  }

  /// A comment that says who made the change before it, and when, and no more.
  var comment: [UInt8] { MarkKind.comment.around(head.utf8) }

  /// Fills in from another attribution what this one lacks.
  mutating func add(_ other: Attribution) {
    author = author ?? other.author
    date = date ?? other.date
    status = status ?? other.status
  }
}

extension Change {
  /// Who made the change, and when: from another tool's metadata, or else from the head of its first comment.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - footnotes: The footnotes of the whole document, where ChangeDown keeps attributions.
  /// - Returns: The attribution.
  public func attribution(in bytes: [UInt8], _ footnotes: Footnotes? = nil) -> Attribution {
    var found = Attribution()
    guard isSigned(in: bytes) else { return found }
    if let mark = marks.first { found = mark.metadataAttribution(in: bytes, footnotes) }
    guard found.author == nil, let comment = thread.first else { return found }
    let isLone = marks.isEmpty
    found.add(
      isLone
        ? comment.attribution(in: bytes, footnotes)
        : Attribution(CommentHead(of: bytes[comment.content]))
    )
    return found
  }

  /// Whether the change can name anybody at all; a quick check.
  private func isSigned(in bytes: [UInt8]) -> Bool {
    marks.first?.hasMetadata == true
      || thread.contains { $0.hasMetadata || $0.startsWithName(in: bytes) }
  }

  /// The author of the change; nil if nobody is named.
  public func author(in bytes: [UInt8], _ footnotes: Footnotes? = nil) -> String? {
    attribution(in: bytes, footnotes).author
  }

  /// The date of the change, as in `2026-11-22`, perhaps with a time; nil if it is not given.
  public func date(in bytes: [UInt8], _ footnotes: Footnotes? = nil) -> String? {
    attribution(in: bytes, footnotes).date
  }

  /// Who made the change and who commented on it, without duplicates, in text order.
  public func authors(in bytes: [UInt8], _ footnotes: Footnotes? = nil) -> [String] {
    guard isSigned(in: bytes) else { return [] }
    let author = author(in: bytes, footnotes)
    // Most changes have no thread.
    if thread.isEmpty { return author.map { [$0] } ?? [] }
    var names = [author]
    names += thread.map { $0.attribution(in: bytes, footnotes).author }
    return names.compactMap(\.self).unique
  }
}

extension Mark {
  /// Who wrote a comment, and when.
  public func attribution(in bytes: [UInt8], _ footnotes: Footnotes?) -> Attribution {
    var found = metadataAttribution(in: bytes, footnotes)
    if found.author == nil { found.add(Attribution(CommentHead(of: bytes[content]))) }
    return found
  }

  /// The attribution in another tool's metadata; what it says itself goes before what a footnote says.
  func metadataAttribution(in bytes: [UInt8], _ footnotes: Footnotes?) -> Attribution {
    guard hasMetadata else { return Attribution() }
    return bytes.withUnsafeBufferPointer { bytes in
      let items = metadataItems(in: bytes)
      var found = Attribution()
      for item in items { found.add(Attribution(item, in: bytes)) }
      for item in items where item.form == .reference {
        for member in item.members {
          if let said = footnotes?[Array(bytes[member.value])[...]] { found.add(said) }
        }
      }
      return found
    }
  }
}

extension Attribution {
  init(_ head: CommentHead) {
    author = head.author
    date = head.author == nil ? nil : head.date
  }

  /// Reads what a piece of metadata says itself; the time in a JSON object counts seconds or milliseconds since 1970.
  fileprivate init(_ item: MetadataItem, in bytes: Bytes) {
    for (name, value) in item.members where !value.isEmpty {
      let text = String(decoding: bytes[value], as: UTF8.self)
      let isString = bytes[value.lowerBound - 1] == Ascii.quote
      switch (item.form, String(decoding: bytes[name], as: UTF8.self)) {
      case (.attributes, "author"), (.identified, "by"): author = author ?? text
      case (.attributes, "date"), (.identified, "at"): date = date ?? text
      // Of two members with one name the last counts.
      case (.object, "author") where isString: author = text.unescaped
      case (.object, "time"): date = isString ? text : Int64(text).flatMap(timeStamp)
      default: break
      }
    }
  }
}

extension String {
  /// The text of a string of JSON, YAML or TOML between double quotation marks, unescaped.
  var unescaped: String {
    var units: [UInt16] = []
    var rest = utf16[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(Ascii.backslash), let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      switch Unicode.Scalar(escape).map(Character.init) {
      case "n": units.append(0x0A)
      case "r": units.append(0x0D)
      case "t": units.append(0x09)
      case "b": units.append(0x08)
      case "f": units.append(0x0C)
      case "u":
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        rest = rest.dropFirst(4)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
