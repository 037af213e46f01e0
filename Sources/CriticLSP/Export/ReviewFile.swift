import JSONRPC
import TrackEngine

/// What a reader has saved of a review on a page: yes and no to changes, answers, and comments on the text.
struct ReviewFile: JSONReadable {
  /// The version of the format.
  static let version = 1

  /// Whose review it is; empty if they did not say.
  let author: String
  let items: [Item]

  /// One thing that the reader has said.
  struct Item: JSONReadable {
    let target: Target
    /// Whether a change is accepted; nil if the item says nothing about that.
    let isAccepted: Bool?
    let comment: String?
  }

  /// What an item is about.
  enum Target {
    case change(KnownChange)
    /// A stretch of the text as the page shows it.
    case text(String, before: String, after: String)
  }

  /// A change as the page knew it.
  struct KnownChange {
    let number: Int
    let kind: String
    let old: String
    let new: String
    let before: String
    let after: String
    /// Its place among those that were like it; nil if that is not said.
    let place: PlaceAmongAlike?
  }

  /// Whether a JSON value is a review.
  static func isReview(_ json: JSON) -> Bool { json["review"] != nil }

  /// Reads `{"review", "file", "author", "items"}`.
  init(_ json: JSON) throws(ResponseError) {
    guard try json.read("review", as: Int.self) == ReviewFile.version else {
      throw .invalidParams("review: only version \(ReviewFile.version) is known")
    }
    author = try json.readIfPresent("author") ?? ""
    items = try json.read("items")
  }
}

extension ReviewFile.Item {
  /// Reads an item: it has the member `change` or the member `text`, and `decision` or `comment`.
  init(_ json: JSON) throws(ResponseError) {
    let before: String = try json.readIfPresent("before") ?? ""
    let after: String = try json.readIfPresent("after") ?? ""
    if let number = try json.readIfPresent("change", as: Int.self) {
      target = .change(
        .init(
          number: number,
          kind: try json.read("kind"),
          old: try json.read("old"),
          new: try json.read("new"),
          before: before,
          after: after,
          place: try json["nth"] == nil ? nil : PlaceAmongAlike(json)
        )
      )
    } else {
      target = .text(try json.read("text"), before: before, after: after)
    }
    switch try json.readIfPresent("decision", as: String.self) {
    case "yes": isAccepted = true
    case "no": isAccepted = false
    case nil: isAccepted = nil
    case let other?: throw .invalidParams("decision: expected yes or no, not \"\(other)\"")
    }
    comment = try json.readIfPresent("comment", as: String.self)
    _ = try Array((comment ?? "").utf8).writable(as: "comment")
  }
}
