import TrackEngine

/// What a review makes of a document: its comments are put in, and, if that is asked for, its yes and no carried out.
struct ReviewEdits {
  /// Sorted, disjoint edits of the document.
  private(set) var edits: [Edit] = []
  /// The yes and no, a line for each, in the order of the document.
  private(set) var decisions: [String] = []
  /// What could not be placed, a line for each.
  private(set) var problems: [String] = []

  private let document: [UInt8]
  private let language: Language
  private let author: AuthorName?
  private let appliesDecisions: Bool
  private var current: [UInt8]

  /// What is to be done at a change.
  private struct Step {
    var change: Change
    var isAccepted: Bool?
    var comments: [String] = []
  }

  /// Works a review into a document.
  ///
  /// - Parameters:
  ///   - review: The review.
  ///   - document: The document with its marks.
  ///   - language: Its language.
  ///   - author: Who the comments are by.
  ///   - appliesDecisions: Whether changes are accepted and rejected.
  init(
    _ review: ReviewFile,
    in document: [UInt8],
    as language: Language,
    by author: AuthorName?,
    appliesDecisions: Bool
  ) {
    (self.document, self.author, self.appliesDecisions) = (document, author, appliesDecisions)
    self.language = language
    current = document
    let reading = Reading(of: document, as: language)
    var steps: [Int: Step] = [:]
    // A page knows nothing of annotations; they are behind all other text.
    let listed = ListedChange.all(of: document.withoutAnnotations, as: language)
    let alike = AlikeChanges(listed)
    for item in review.items {
      guard case .change(let known) = item.target else { continue }
      guard let index = alike.index(of: known) else {
        problems.append(
          "\(known.told) is not there any more, or not to be told from others\(item.told)"
        )
        continue
      }
      var step = steps[index] ?? Step(change: reading.changes[index])
      step.isAccepted = item.isAccepted ?? step.isAccepted
      if let comment = item.comment { step.comments.append(comment) }
      steps[index] = step
    }
    for (index, step) in steps.sorted(by: { $0.key < $1.key }) {
      guard let isAccepted = step.isAccepted else { continue }
      let words = listed[index].entry.summary
      decisions.append("\(isAccepted ? "yes" : "no") to change \(index + 1): \(words)")
    }
    // From the end, so that the places of what is still to be done stay.
    for (_, step) in steps.sorted(by: { $0.key > $1.key }) { carryOut(step) }
    for item in review.items {
      guard case .text(let text, let before, let after) = item.target, let comment = item.comment
      else { continue }
      place(comment, on: text, before: before, after: after)
    }
  }

  private mutating func carryOut(_ step: Step) {
    guard appliesDecisions, let isAccepted = step.isAccepted else {
      for comment in step.comments { add(comment, to: step.change) }
      return
    }
    let reading = Reading(of: current, as: language)
    do throws(Review.Failure) {
      let variant: Variant = isAccepted ? .clean : .original
      make(try reading.edits(resolving: [step.change], variant, of: current))
    } catch {
      problems.append(error.description)
      return
    }
    // What was said about it is not lost with it.
    let left =
      isAccepted ? step.change.marks.compactMap(\.new) : step.change.marks.compactMap(\.old)
    let text = left.flatMap { document[$0] }
    let blank = text.reversed().prefix { $0 <= 0x20 }.count
    let place = step.change.range.lowerBound + text.count - blank
    for comment in step.comments { put(comment, at: place..<place) }
  }

  private mutating func add(_ comment: String, to change: Change) {
    let place = change.markRange.lowerBound + 1
    put(comment, at: place..<place)
  }

  private mutating func place(_ comment: String, on text: String, before: String, after: String) {
    let clean = VariantText(.clean, of: current, Reading(of: current, as: language))
    switch ShownLetters(of: clean.bytes).place(of: text, before: before, after: after) {
    case .one(let range): put(comment, at: clean.hull(of: range))
    case .none:
      problems.append("“\(text)” is not in the document any more, of which it says: \(comment)")
    case .several(let count):
      problems.append(
        "“\(text)” is at \(count) places, and what is around none of them decides; it says: \(comment)"
      )
    }
  }

  private mutating func put(_ comment: String, at range: Range<Int>) {
    do throws(Review.Failure) {
      let comment = Array(comment.utf8)
      make(try current.edits(commentingAt: range, saying: comment, as: language, by: author))
    } catch {
      problems.append("“\(comment)” cannot be put in: \(error.description)")
    }
  }

  private mutating func make(_ more: [Edit]) {
    edits = edits.followed(by: more, on: Text(document))
    current = current.applying(more)
  }
}

extension ReviewFile.KnownChange {
  /// As in `change 3 (substitution “red” → “blue”)`.
  fileprivate var told: String {
    let texts = [old, new].filter { !$0.isEmpty }.map { quoted(Array($0.utf8)) }
    return
      "change \(number) (\(([kind] + [texts.joined(separator: " → ")]).joined(separator: " ")))"
  }
}

extension ReviewFile.Item {
  /// What is said of something that is not there.
  fileprivate var told: String {
    let decision = isAccepted.map { ": \($0 ? "yes" : "no")" } ?? ""
    return decision + (comment.map { ": \($0)" } ?? "")
  }
}
