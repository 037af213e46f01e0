import TrackEngine

/// What an entry of the list of changes is: the code of its diagnostic, and its kind in JSON.
enum ChangeCode: Hashable, Sendable {
  case mark(MarkKind)
  /// A change that is not in marks yet.
  case pending
  case malformed(Malformed.Kind)
  /// How many others are not listed.
  case more
  /// A sidecar whose text is not there.
  case orphan
  /// A place where rejecting all changes does not give what an earlier version has.
  case original
}

extension ChangeCode: CaseIterable {
  static let allCases =
    MarkKind.allCases.map(mark) + Malformed.Kind.allCases.map(malformed)
    + [pending, more, orphan, original]
}

extension ChangeCode: CustomStringConvertible {
  /// The kind of the mark, `pending`, or the kind of malformed mark.
  var description: String {
    switch self {
    case .mark(let kind): kind.description
    case .pending: "pending"
    case .malformed(let kind): kind.rawValue
    case .more: "more"
    case .orphan: "orphaned-record"
    case .original: "changed-original"
    }
  }

  /// The code with a description.
  init?(_ description: String) {
    guard let code = ChangeCode.allCases.first(where: { $0.description == description }) else {
      return nil
    }
    self = code
  }
}
