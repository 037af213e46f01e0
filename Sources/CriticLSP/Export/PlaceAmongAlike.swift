import JSONRPC

/// The place of a change among those of a text that are like it: with the same kind and texts.
struct PlaceAmongAlike: Equatable {
  /// The how manyth it is of those with the same text around them, too, from 1.
  let number: Int
  /// How many these are.
  let count: Int
  /// How many are like it, whatever is around them.
  let alike: Int
}

extension PlaceAmongAlike {
  /// Reads the members `nth`, `of` and `alike` of an object.
  init(_ json: JSON) throws(ResponseError) {
    number = try json.read("nth")
    count = try json.read("of")
    alike = try json.read("alike")
  }

  /// Writes these members.
  func write(to writer: inout JSONWriter) {
    writer.member("nth", number)
    writer.member("of", count)
    writer.member("alike", alike)
  }
}

/// What changes of a text are like each other.
struct AlikeChanges {
  /// The place of each change, in order.
  private(set) var places: [PlaceAmongAlike] = []
  /// The indices of the changes with some texts, in order, whatever is around them, and with some text around them.
  private var indices: [Key: [Int]] = [:]

  /// A kind, the old and the new text, and where that counts the text before and after.
  private struct Key: Hashable {
    let kind: String
    let texts: [[UInt8]]
    let around: [[UInt8]]?

    /// The same with the text around it.
    func with(_ before: [UInt8], _ after: [UInt8]) -> Self {
      Key(kind: kind, texts: texts, around: [before, after])
    }
  }

  /// Sorts changes; linear.
  init(_ changes: [ListedChange]) {
    let keys = changes.map { change in
      let entry = change.entry
      let alike = Key(kind: entry.code.description, texts: [entry.old, entry.new], around: nil)
      return (alike: alike, same: alike.with(change.around.before, change.around.after))
    }
    for (index, key) in keys.enumerated() {
      for key in [key.alike, key.same] { indices[key, default: []].append(index) }
    }
    var met: [Key: Int] = [:]
    places = keys.map { alike, same in
      met[same, default: 0] += 1
      return PlaceAmongAlike(
        number: met[same] ?? 1,
        count: indices[same]?.count ?? 1,
        alike: indices[alike]?.count ?? 1
      )
    }
  }

  /// The index of a change as a page knew it: by what it is and what is around it.
  ///
  /// - Parameter known: The change; its number is not used, for it was that of another version.
  /// - Returns: The index; nil if it is gone, or cannot be told from others.
  func index(of known: ReviewFile.KnownChange) -> Int? {
    let texts = [Array(known.old.utf8), Array(known.new.utf8)]
    let key = Key(kind: known.kind, texts: texts, around: nil)
    let alike = indices[key] ?? []
    let same = indices[key.with(Array(known.before.utf8), Array(known.after.utf8))] ?? []
    guard let place = known.place else {
      if same.count == 1 { return same[0] }
      return known.before.isEmpty && known.after.isEmpty && alike.count == 1 ? alike[0] : nil
    }
    // As many as there were: none of them was settled, so each is where it was among them.
    if same.count == place.count, place.number > 0, place.number <= same.count {
      return same[place.number - 1]
    }
    return same.isEmpty && place.alike == 1 && alike.count == 1 ? alike[0] : nil
  }
}
