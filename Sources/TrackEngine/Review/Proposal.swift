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
  public struct Failure: Error, CustomStringConvertible {
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
}

extension [UInt8] {
  /// The edits that put proposals into marks, each as a change of its own with its reason as a comment.
  ///
  /// Accepting everything then gives the clean text with the proposals applied, and rejecting everything gives
  /// the same as before; marks that hold no replaced text keep their bytes. Linear in the text, times the
  /// number of proposals for finding them, and once more for each proposal around which earlier text had to be
  /// rewritten.
  ///
  /// - Parameters:
  ///   - proposals: Edits of the clean text, in any order.
  ///   - author: Who proposes.
  /// - Returns: Sorted, disjoint edits of the marked-up text.
  /// - Throws: ``Proposal/Failure`` that names every proposal with a problem.
  public func edits(
    proposing proposals: [Proposal],
    by author: AuthorName? = nil
  ) throws(Proposal.Failure) -> [Edit] {
    let clean = VariantText(.clean, of: self)
    let placed = try PlacedProposal.all(proposals, in: clean, by: author)
    var writing = ProposalWriting(clean)
    var failure = Proposal.Failure()
    // From last to first, so that writing one does not move those still to come.
    for proposal in placed.reversed() where !writing.write(proposal) {
      failure.add(clean.cannotWrite(proposal), at: proposal.index, of: proposals)
    }
    guard failure.problems.isEmpty else { throw failure }
    if writing.isRight(placed) { return writing.edits }
    for proposal in placed {
      var alone = ProposalWriting(clean)
      if alone.write(proposal), alone.isRight([proposal]) { continue }
      failure.add(clean.cannotWrite(proposal), at: proposal.index, of: proposals)
    }
    if failure.problems.isEmpty {
      failure.add(
        "it cannot be put into marks together with the others; propose them one after the other",
        at: 0,
        of: proposals
      )
    }
    throw failure
  }
}

extension VariantText {
  fileprivate func cannotWrite(_ proposal: PlacedProposal) -> String {
    let line = lines(of: [place(of: proposal.edit.range.lowerBound)])
    return "it cannot be put into marks on \(line): code or marks around it are in the way"
  }
}

/// A proposal as an edit of the clean text.
struct PlacedProposal {
  /// The index of the proposal.
  let index: Int
  /// The difference, extended to whole words.
  let edit: Edit
  let comment: [UInt8]?
  /// Whether the comment says more than who proposes the edit.
  let hasReason: Bool

  /// All proposals, in the order of the clean text.
  ///
  /// - Throws: ``Proposal/Failure`` that names every proposal that changes nothing, whose text does not occur
  ///   or occurs several times, or that overlaps another.
  static func all(
    _ proposals: [Proposal],
    in clean: VariantText,
    by author: AuthorName?
  ) throws(Proposal.Failure) -> [PlacedProposal] {
    var failure = Proposal.Failure()
    var placed: [(old: Range<Int>, proposal: PlacedProposal)] = []
    let metadata = frontMatter(of: clean.markup).upperBound
    for (index, proposal) in proposals.enumerated() {
      if let problem = proposal.emptiness {
        failure.add(problem, at: index, of: proposals)
        continue
      }
      do throws(Citation.Failure) {
        let old = try proposal.old.place(in: clean, calledIn: "\"old\"")
        let edit = Edit(old, proposal.new).trimmed(replacing: proposal.old.text[...])
          .onWholeWords(of: clean.bytes, in: old)
        if clean.place(of: old.lowerBound) < metadata {
          let problem =
            "it is in the front matter, where changes are not put into marks; edit that by hand"
          failure.add(problem, at: index, of: proposals)
        }
        let comment =
          author.map { $0.head(of: proposal.reason ?? []) } ?? proposal.reason?.onOneLine
        let placedProposal = PlacedProposal(
          index: index,
          edit: edit,
          comment: comment,
          hasReason: proposal.reason != nil
        )
        placed.append((old, placedProposal))
      } catch {
        failure.add(error.description, at: index, of: proposals)
      }
    }
    placed.sort { ($0.old.lowerBound, $0.proposal.index) < ($1.old.lowerBound, $1.proposal.index) }
    for (first, second) in zip(placed, placed.dropFirst())
    where second.old.lowerBound < first.old.upperBound {
      let (known, late) = (
        min(first.proposal.index, second.proposal.index),
        max(first.proposal.index, second.proposal.index)
      )
      let problem = "it overlaps edit \(known + 1); make one edit of the two"
      failure.add(problem, at: late, of: proposals)
    }
    guard failure.problems.isEmpty else { throw failure }
    return placed.map(\.proposal)
  }
}

extension Proposal {
  /// Why it proposes nothing; nil if it does propose something.
  fileprivate var emptiness: String? {
    if old.text.isEmpty {
      return
        "\"old\" is empty; to add text, give in \"old\" what stands beside it, and repeat that in \"new\""
    }
    return old.text == new ? "\"old\" and \"new\" are the same" : nil
  }
}

extension Edit {
  /// The edit extended to whole words that it cuts, within `bounds`: an insertion beside a word does not cut
  /// it.
  fileprivate func onWholeWords(of text: [UInt8], in bounds: Range<Int>) -> Edit {
    let old = text[range]
    var (start, end) = (range.lowerBound, range.upperBound)
    if [old.first, new.first].contains(where: { $0?.isOfAlphabet == true }) {
      while start > bounds.lowerBound, text[..<start].endsInAlphabet {
        repeat { start -= 1 } while text[start] & 0xC0 == 0x80 && start > bounds.lowerBound
      }
    }
    if old.endsInAlphabet || new[...].endsInAlphabet {
      while end < bounds.upperBound, text[end].isOfAlphabet {
        repeat { end += 1 } while end < bounds.upperBound && text[end] & 0xC0 == 0x80
      }
    }
    let (before, after) = (text[start..<range.lowerBound], text[range.upperBound..<end])
    return Edit(start..<end, Array(before) + new + Array(after))
  }
}

extension UInt8 {
  /// Whether a character that begins with this byte is a digit or an alphabetic letter: words of other scripts
  /// are not separated by spaces.
  fileprivate var isOfAlphabet: Bool { self < 0x80 ? isLetter : 0xC3...0xE1 ~= self }
}

extension ArraySlice<UInt8> {
  /// Whether its last character is a digit or an alphabetic letter.
  fileprivate var endsInAlphabet: Bool { last { $0 & 0xC0 != 0x80 }?.isOfAlphabet == true }
}
