import JSONRPC
import TrackEngine

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
  /// The names of the members, in this order.
  private static let names: [StaticString] = ["nth", "of", "alike"]

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
  /// The indices of the changes with some kind and texts, in order.
  private var alike: [Key: [Int]] = [:]
  private let changes: [ListedChange]

  /// A kind and two texts.
  private struct Key: Hashable {
    let kind: String
    let old: [UInt8]
    let new: [UInt8]
  }

  /// Sorts changes; linear.
  init(_ changes: [ListedChange]) {
    self.changes = changes
    for (index, change) in changes.enumerated() {
      alike[Self.key(of: change), default: []].append(index)
    }
  }

  private static func key(of change: ListedChange) -> Key {
    Key(kind: change.entry.code.description, old: change.entry.old, new: change.entry.new)
  }

  /// The place of each change, in order.
  var places: [PlaceAmongAlike] {
    var places = Array(
      repeating: PlaceAmongAlike(number: 1, count: 1, alike: 1),
      count: changes.count
    )
    for indices in alike.values {
      for same in Dictionary(
        grouping: indices,
        by: { [changes[$0].around.before, changes[$0].around.after] }
      ).values {
        for (number, index) in same.enumerated() {
          places[index] = PlaceAmongAlike(
            number: number + 1,
            count: same.count,
            alike: indices.count
          )
        }
      }
    }
    return places
  }

  /// The index of a change as a page knew it: by what it is and what is around it.
  ///
  /// - Parameter known: The change; its number is not used, for it was that of another version.
  /// - Returns: The index; nil if it is gone, or cannot be told from others.
  func index(of known: ReviewFile.KnownChange) -> Int? {
    let key = Key(kind: known.kind, old: Array(known.old.utf8), new: Array(known.new.utf8))
    let like = alike[key] ?? []
    let there = like.filter { index in
      changes[index].around.before.elementsEqual(known.before.utf8)
        && changes[index].around.after.elementsEqual(known.after.utf8)
    }
    guard let place = known.place else {
      if there.count == 1 { return there[0] }
      return known.before.isEmpty && known.after.isEmpty && like.count == 1 ? like[0] : nil
    }
    // As many as there were: none of them was settled, so each is where it was among them.
    if there.count == place.count, place.number > 0, place.number <= there.count {
      return there[place.number - 1]
    }
    return there.isEmpty && place.alike == 1 && like.count == 1 ? like[0] : nil
  }
}
