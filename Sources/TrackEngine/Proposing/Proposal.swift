/// A proposed edit of a document's clean text, for somebody else to accept or reject.
public struct Proposal: Equatable, Sendable {
  /// The text to replace, or to put text beside.
  public var old: Citation
  /// The replacement, or what is put there.
  public var new: [UInt8]
  /// What becomes of the old text.
  public var manner: Manner
  /// Whether that is proposed at every place of the old text, as a change each.
  public var isEverywhere: Bool
  /// The reason for the edit.
  public var reason: [UInt8]?

  /// What becomes of a text that an edit cites.
  public enum Manner: Sendable {
    case replaced
    /// It stays, and the new text is put right after it.
    case followed
    /// It stays, and the new text is put right before it.
    case preceded
  }

  /// Proposes to replace one text by another, or to put one beside it.
  public init(
    _ old: Citation,
    _ new: [UInt8],
    _ manner: Manner = .replaced,
    isEverywhere: Bool = false,
    reason: [UInt8]? = nil
  ) {
    self.old = old
    self.new = new
    self.manner = manner
    self.isEverywhere = isEverywhere
    self.reason = reason
  }
}

extension Proposal {
  /// The problems with proposals, one line for each, which gives the proposal's number from 1.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The problems, by the index of the proposal.
    public private(set) var problems: [Int: String] = [:]

    /// In the order of the proposals, as in `edit 2 ("red hen"): "old" is not in the clean text`.
    public var lines: [String] { problems.sorted { $0.key < $1.key }.map(\.value) }
    /// The lines together.
    public var description: String { lines.joined(separator: "\n") }

    mutating func add(_ problem: String, at index: Int, of proposals: [Proposal]) {
      guard problems[index] == nil else { return }
      problems[index] = "edit \(index + 1) (\(proposals[index].old.told)): \(problem)"
    }

    /// Adds those of others.
    fileprivate mutating func add(_ other: Failure) {
      problems.merge(other.problems) { known, _ in known }
    }
  }

  /// What became of proposals.
  public struct Outcome: Equatable, Sendable {
    /// Sorted, disjoint edits of the marked-up text.
    public internal(set) var edits: [Edit] = []
    /// How many changes were proposed.
    public internal(set) var count = 0
    /// The proposals that change nothing, which are left out.
    public internal(set) var idle = Failure()
    /// The proposals that cannot be made, which are left out where that is asked for.
    public internal(set) var left = Failure()
    /// How many bytes were looked at, which is the cost.
    var steps = 0

    /// What becomes of no proposals.
    public init() {}
  }
}

extension [UInt8] {
  /// Puts proposals into marks, each as a change of its own with its reason as a comment.
  ///
  /// Accepting everything then gives the clean text with the proposals applied, and rejecting everything gives
  /// the same as before; marks that hold no replaced text keep their bytes. A highlight of replaced text holds
  /// the change. In the proposals each line end means the text's own. Linear in the text and the proposals;
  /// where proposals cannot be written plainly, their passages are read again for each of them.
  ///
  /// - Parameters:
  ///   - proposals: Edits of the clean text, in any order.
  ///   - language: The language of the text.
  ///   - author: Who proposes.
  ///   - isPartial: Whether those that can be made are made where others cannot.
  /// - Returns: The edits, which proposals change nothing, and which are left out.
  /// - Throws: ``Proposal/Failure`` that names every proposal with a problem; if `isPartial`, only where none can be
  ///   made.
  public func proposing(
    _ proposals: [Proposal],
    as language: Language,
    by author: AuthorName? = nil,
    isPartial: Bool = false
  ) throws(Proposal.Failure) -> Proposal.Outcome {
    let clean = VariantText(.clean, of: self, as: language)
    var left = Proposal.Failure()
    while true {
      do throws(Proposal.Failure) {
        var outcome = try clean.proposing(proposals, without: left, by: author)
        outcome.left = left
        return outcome
      } catch {
        // Each round leaves out one more at least.
        left.add(error)
        guard isPartial, left.problems.count < proposals.count else { throw left }
      }
    }
  }
}

extension VariantText {
  /// Puts proposals into the marks of the text of which this is the clean one.
  fileprivate func proposing(
    _ proposals: [Proposal],
    without left: Proposal.Failure,
    by author: AuthorName?
  ) throws(Proposal.Failure) -> Proposal.Outcome {
    var outcome = Proposal.Outcome()
    let placing = try ProposalPlacing(proposals, without: left, in: self, by: author)
    outcome.count = placing.changes.count
    outcome.idle = placing.idle
    var writing = ProposalWriting(placing.clean, by: author)
    let failed = writing.write(placing.changes)
    outcome.steps = placing.steps + writing.steps
    outcome.edits = writing.edits
    var failure = Proposal.Failure()
    for change in failed {
      let line = lines(of: [place(of: change.range.lowerBound)])
      let problem =
        "it cannot be put into marks on \(line): code or marks around it are in the way"
      for comment in change.comments { failure.add(problem, at: comment.index, of: proposals) }
    }
    guard failed.isEmpty else { throw failure }
    return outcome
  }
}

extension Citation {
  /// The beginning of its text in quotation marks, or its lines.
  fileprivate var told: String {
    if text.isEmpty, let lines { return "lines \(lines.lowerBound) to \(lines.upperBound)" }
    let text = String(decoding: text, as: UTF8.self)
    let start = text.prefix { !$0.isNewline }.prefix(40)
    return start.count < text.count ? "\"\(start)…\"" : "\"\(start)\""
  }
}
