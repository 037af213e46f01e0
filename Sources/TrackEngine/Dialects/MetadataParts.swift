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
    guard mark.hasMetadata else { return }
    // A time before 1970, say, is not read.
    let known = mark.metadataAttribution(in: bytes, nil)
    let items = bytes.withUnsafeBufferPointer(mark.metadataItems)
    count = items.count
    for item in items {
      let names = item.members.map { String(decoding: bytes[$0.name], as: UTF8.self) }
      let values = item.members.map { String(decoding: bytes[$0.value], as: UTF8.self) }
      switch item.form {
      case .attributes:
        dialects.insert(.obsidian)
        others += names.filter { !["author", "date"].contains($0) }
      case .object:
        dialects.insert(.commentator)
        others += names.filter {
          $0 == "author" ? known.author == nil : $0 != "time" || known.date == nil
        }
      case .identifier:
        dialects.insert(.roughdraft)
        references += values
        ids += values
      case .identified:
        dialects.insert(.roughdraft)
        ids += zip(names, values).filter { $0.0 == "id" }.map(\.1)
        // What a comment answers is where it stands.
        others += names.filter { !["id", "by", "at", "re"].contains($0) }
      case .reference:
        dialects.insert(.changedown)
        footnotes += values.map { Array($0.utf8) }
      }
    }
  }
}
