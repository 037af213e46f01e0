extension Edit {
  /// How much longer the text becomes.
  var growth: Int { new.count - range.count }
}

extension Collection<Edit> {
  /// How much longer all of them make the text.
  var growth: Int { reduce(0) { $0 + $1.growth } }

  /// The ranges of each in the text before and after.
  var differences: [Difference] { differences(after: 0) }

  /// The same for the later ones of a list, before which the text has become longer by `shift`.
  func differences(after shift: Int) -> [Difference] {
    var shift = shift
    return map { edit in
      let start = edit.range.lowerBound + shift
      shift += edit.growth
      return Difference(edit.range, start..<start + edit.new.count)
    }
  }

  /// Whether they are a list of edits of a text that is so long: sorted, disjoint and within it.
  func areEdits(ofLength count: Int) -> Bool {
    let ends = [0] + flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [count]
    return zip(ends, ends.dropFirst()).allSatisfy(<=)
  }
}
