/// A proposed edit of a document's clean text, for somebody else to accept or reject.
public struct Proposal: Equatable, Sendable {
  /// The text to replace.
  public var old: Citation
  /// The replacement.
  public var new: [UInt8]
  /// The reason for the edit.
  public var reason: [UInt8]?

  /// Proposes to replace one text by another.
  public init(_ old: Citation, _ new: [UInt8], reason: [UInt8]? = nil) {
    self.old = old
    self.new = new
    self.reason = reason
  }
}

extension Proposal {
  /// The problems with proposals, one line for each, which gives the proposal's number from 1.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The problems, by the index of the proposal.
    public private(set) var problems: [Int: String] = [:]

    /// The lines, as in `edit 2 ("red hen"): "old" is not in the clean text`.
    public var description: String {
      problems.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
    }

    mutating func add(_ problem: String, at index: Int, of proposals: [Proposal]) {
      guard problems[index] == nil else { return }
      let old = String(decoding: proposals[index].old.text, as: UTF8.self)
      let start = old.prefix { !$0.isNewline }.prefix(40)
      let quote = start.count < old.count ? "\(start)…" : "\(start)"
      problems[index] = "edit \(index + 1) (\"\(quote)\"): \(problem)"
    }
  }

  /// What became of proposals.
  public struct Outcome: Equatable, Sendable {
    /// Sorted, disjoint edits of the marked-up text.
    public internal(set) var edits: [Edit] = []
    /// The proposals that change nothing, which are left out.
    public internal(set) var idle = Failure()
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
  ///   - author: Who proposes.
  /// - Returns: The edits, and which proposals change nothing.
  /// - Throws: ``Proposal/Failure`` that names every proposal with a problem.
  public func proposing(
    _ proposals: [Proposal],
    by author: AuthorName? = nil
  ) throws(Proposal.Failure) -> Proposal.Outcome {
    var outcome = Proposal.Outcome()
    let placing = try ProposalPlacing(proposals, in: VariantText(.clean, of: self), by: author)
    outcome.idle = placing.idle
    var writing = ProposalWriting(placing.clean, by: author)
    let failed = writing.write(placing.changes)
    outcome.steps = placing.steps + writing.steps
    outcome.edits = writing.edits
    var failure = Proposal.Failure()
    for change in failed {
      let line = placing.clean.lines(of: [placing.clean.place(of: change.range.lowerBound)])
      let problem =
        "it cannot be put into marks on \(line): code or marks around it are in the way"
      for comment in change.comments { failure.add(problem, at: comment.index, of: proposals) }
    }
    guard failed.isEmpty else { throw failure }
    return outcome
  }
}
