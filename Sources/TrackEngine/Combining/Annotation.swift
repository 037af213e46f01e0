/// A highlight, or comments that stand alone, and where it is in the original text.
struct Annotation {
  /// The stretch of the original text.
  var old: Range<Int>
  /// The delimiters of a highlight; nil for lone comments.
  let delimiters: (opener: [UInt8], closer: [UInt8])?
  /// The comments behind it.
  var thread: CommentThread

  /// A highlight or a lone comment of a text.
  init(_ change: Change, at old: Range<Int>, in bytes: [UInt8]) {
    self.old = old
    delimiters = change.marks.first.map { (Array(bytes[$0.opener]), Array(bytes[$0.closer])) }
    thread = CommentThread(change.thread, in: bytes)
  }

  /// What is the same in all texts that have it.
  struct Key: Hashable {
    let old: Range<Int>
    let isHighlight: Bool
  }

  /// What is the same in all texts that have it.
  var key: Key { Key(old: old, isHighlight: delimiters != nil) }
}

extension [TrackedCopy] {
  /// The highlights and lone comments of all copies, each once, with the comments of all.
  ///
  /// - Parameter base: The text that they are copies of; what a copy lacks of it was removed there.
  /// - Returns: In order of where they begin, outer ones first.
  func annotations(since base: TrackedCopy) -> [Annotation] {
    var known: [Annotation.Key: (base: Annotation?, copies: [Annotation?])] = [:]
    let none = map { _ in Annotation?.none }
    for annotation in base.annotations { known[annotation.key] = (annotation, none) }
    for (index, copy) in enumerated() {
      for annotation in copy.annotations {
        known[annotation.key, default: (nil, none)].copies[index] = annotation
      }
      // What could not be carried is still meant.
      for (key, found) in known where copy.isCarried && found.copies[index] == nil {
        known[key]?.copies[index] = found.base
      }
    }
    let joined = known.values.compactMap { found -> Annotation? in
      let threads = found.copies.map { $0?.thread ?? CommentThread() }
      let isRemoved = found.base != nil && found.copies.contains { $0 == nil }
      guard var annotation = found.base ?? found.copies.lazy.compactMap(\.self).first else {
        return nil
      }
      annotation.thread = threads.joined(since: found.base?.thread)
      return isRemoved && annotation.thread.comments.isEmpty
        || annotation.delimiters == nil && annotation.thread.comments.isEmpty ? nil : annotation
    }
    return joined.sorted {
      ($0.old.lowerBound, -$0.old.upperBound, $0.key.isHighlight ? 1 : 0)
        < ($1.old.lowerBound, -$1.old.upperBound, $1.key.isHighlight ? 1 : 0)
    }
  }
}

extension [Annotation] {
  /// The same ones, in which no highlight begins or ends in a change or crosses another one: such an end is moved out.
  ///
  /// - Parameter changes: The stretches that are replaced, in order and disjoint.
  /// - Returns: Those of which nothing is left to highlight are comments behind the change.
  func clear(of changes: [Range<Int>]) -> [Annotation] {
    var cleared: [Annotation] = []
    for annotation in self {
      var old = annotation.old
      let first = changes.range(cutAt: old.lowerBound)
      let last = changes.range(cutAt: old.upperBound)
      if let first { old = first.upperBound..<Swift.max(first.upperBound, old.upperBound) }
      if let last, last != first {
        old = Swift.min(old.lowerBound, last.lowerBound)..<last.lowerBound
      }
      for known in cleared where known.delimiters != nil && known.old.contains(old.lowerBound) {
        if known.old.upperBound < old.upperBound, known.old.lowerBound < old.lowerBound {
          old = known.old.upperBound..<old.upperBound
        }
      }
      cleared.append(annotation.moved(to: old))
    }
    return cleared
  }
}

extension Annotation {
  /// The same at another place; a highlight of nothing is its comments alone.
  fileprivate func moved(to old: Range<Int>) -> Annotation {
    var moved = self
    moved.old = old
    guard old.isEmpty, !self.old.isEmpty else { return moved }
    return Annotation(commentsOf: moved)
  }

  private init(commentsOf annotation: Annotation) {
    (old, delimiters, thread) = (annotation.old, nil, annotation.thread)
  }
}
