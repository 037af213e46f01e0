/// What a stretch of text is to the tracker.
enum TextClass {
  case original
  case added
  case deleted
  case highlighted
  case comment
}

/// Bytes of one class, and where the buffer has them already.
struct Run {
  var bytes: ArraySlice<UInt8>
  /// The buffer offset of the first byte; nil for bytes that the buffer does not have.
  var origin: Int?
  /// Whether it stays where it is, for there the user types: what was added, now or before.
  var stays = false
  /// Whether no variant shows it: delimiters and hidden text of a mark inside an addition or a
  /// deletion, which are kept as they are.
  var isHidden = false

  /// Bytes that the tracker writes.
  init(writing bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  init(_ bytes: ArraySlice<UInt8>, origin: Int?, stays: Bool = false, isHidden: Bool = false) {
    self.bytes = bytes
    self.origin = origin
    self.stays = stays
    self.isHidden = isHidden
  }

  /// The part of the run with the given bounds, counted from its beginning.
  func part(_ range: Range<Int>) -> Run {
    var part = self
    let start = bytes.startIndex
    part.bytes = bytes[start + range.lowerBound..<start + range.upperBound]
    part.origin = origin.map { $0 + range.lowerBound }
    return part
  }
}

/// A stretch of text of one class.
struct Piece {
  var kind: TextClass
  var runs: [Run]

  /// What a variant that shows the piece shows of it.
  var visible: [UInt8] { runs.visible }
}

extension [Run] {
  var visible: [UInt8] { bytes { !$0.isHidden } }
  var bytes: [UInt8] { bytes { _ in true } }

  private func bytes(where isShown: (Run) -> Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for run in self where isShown(run) { bytes += run.bytes }
    return bytes
  }

  /// Adds a run, as a part of the last one where it goes on in the same place.
  mutating func add(_ run: Run) {
    guard !run.bytes.isEmpty else { return }
    if let last, let end = last.origin.map({ $0 + last.bytes.count }), end == run.origin,
      last.stays == run.stays, last.isHidden == run.isHidden
    {
      self[count - 1].bytes += run.bytes
    } else {
      append(run)
    }
  }

  /// The runs with others put between them at the given places, counted in bytes from their beginning,
  /// in rising order.
  func cut(at places: [Int], by separators: [Run]) -> [Run] {
    var parts: [Run] = []
    parts.reserveCapacity(count + places.count * (1 + separators.count))
    var rest = places[...]
    var at = 0
    for run in self {
      var start = 0
      while let place = rest.first, place <= at + run.bytes.count {
        if start < place - at { parts.append(run.part(start..<place - at)) }
        parts += separators
        start = place - at
        rest = rest.dropFirst()
      }
      if start < run.bytes.count { parts.append(run.part(start..<run.bytes.count)) }
      at += run.bytes.count
    }
    return parts
  }
}

extension [Piece] {
  /// Adds a run to the last piece if that is of the class, else as a piece of its own.
  mutating func put(_ kind: TextClass, _ run: Run, apart: Bool = false) {
    guard !run.bytes.isEmpty else { return }
    if let last, last.kind == kind, kind != .comment, !apart {
      self[count - 1].runs.add(run)
    } else {
      append(Piece(kind: kind, runs: [run]))
    }
  }

  /// The pieces as one substitution of all old text by all new text, and the comments after it.
  var asSubstitution: [Piece] {
    var old: [Run] = []
    var new: [Run] = []
    for piece in self {
      for run in piece.runs {
        if piece.kind != .added, piece.kind != .comment {
          var copy = run
          // The buffer has it once; where it is new text too, it stays as that.
          if piece.kind != .deleted { copy.origin = nil }
          old.append(copy)
        }
        if piece.kind != .deleted, piece.kind != .comment { new.append(run) }
      }
    }
    return [Piece(kind: .deleted, runs: old), Piece(kind: .added, runs: new)]
      + filter { $0.kind == .comment }
  }

  /// What a variant shows of the pieces.
  func text(_ variant: Variant) -> [UInt8] {
    flatMap { piece -> [UInt8] in
      switch (piece.kind, variant) {
      case (.comment, _), (.added, .original), (.deleted, .clean): []
      default: piece.visible
      }
    }
  }
}
