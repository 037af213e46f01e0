/// The parts of a mark's metadata by name, whichever tool has written it.
struct MetadataParts {
  /// The ids in `{#s1}` and `{id="s1"}`.
  var ids: [String] = []
  /// Those of them that refer to the endmatter, as `{#s1}` does.
  var references: [String] = []
  /// The ids in `[^cn-1]`.
  var footnotes: [[UInt8]] = []
  /// The names of what is said beside the author, the date and the id.
  var others: [String] = []
  var dialects: Set<Dialect> = []
  /// How many pieces there are; of several, only one can say who made the mark.
  var count = 0

  init(of mark: Mark, in bytes: [UInt8]) {
    if !mark.attributes.isEmpty {
      dialects.insert(.obsidian)
      count += 1
      others += bytes[mark.attributes].pairs.map(\.name).filter {
        !["author", "date"].contains($0)
      }
    }
    if !mark.head.isEmpty {
      dialects.insert(.commentator)
      count += 1
      // A time before 1970, say, is not read.
      let known = mark.metadataAttribution(in: bytes, nil)
      bytes[mark.head].withUnsafeBufferPointer { head in
        var scanner = ObjectScanner(head, at: 0)
        guard scanner.passObject() else { return }
        let names = scanner.members.map { String(decoding: head[$0.name], as: UTF8.self) }
        others += names.filter {
          $0 == "author" ? known.author == nil : $0 != "time" || known.date == nil
        }
      }
    }
    addTail(bytes[mark.tail])
  }

  private mutating func addTail(_ tail: ArraySlice<UInt8>) {
    var rest = tail
    while let first = rest.first {
      let end = rest.firstIndex(of: first == Ascii.open ? Ascii.close : UInt8(ascii: "]"))
      guard let end else { return }
      count += 1
      let inner = rest[(rest.startIndex + 1)..<end]
      if first == Ascii.bracket {
        dialects.insert(.changedown)
        footnotes.append(Array(inner.dropFirst()))
      } else if inner.first == UInt8(ascii: "#") {
        dialects.insert(.roughdraft)
        references.append(String(decoding: inner.dropFirst(), as: UTF8.self))
        ids += references.suffix(1)
      } else {
        dialects.insert(.roughdraft)
        let pairs = inner.pairs
        ids += pairs.filter { $0.name == "id" }.map(\.value)
        // What a comment answers is where it stands.
        others += pairs.map(\.name).filter { !["id", "by", "at", "re"].contains($0) }
      }
      rest = rest[(end + 1)...]
    }
  }
}

extension ArraySlice<UInt8> {
  /// The attributes of a text like `id="s1" by=anna`.
  fileprivate var pairs: [(name: String, value: String)] {
    var pairs: [(String, String)] = []
    var rest = drop(while: \.isSpace)
    while let equals = rest.firstIndex(of: Ascii.equals) {
      let name = String(decoding: rest[..<equals], as: UTF8.self)
      rest = rest[(equals + 1)...]
      let isQuoted = rest.first == Ascii.quote
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { isQuoted ? $0 != Ascii.quote : !$0.isSpace }
      pairs.append((name, String(decoding: value, as: UTF8.self)))
      rest = rest[value.endIndex...].dropFirst(isQuoted ? 1 : 0).drop(while: \.isSpace)
    }
    return pairs
  }
}
