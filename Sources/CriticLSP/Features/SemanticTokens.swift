import TrackEngine

/// What we offer; nil for clients that do not announce that they can use it.
func semanticTokensOptions(for support: SemanticTokensSupport) -> SemanticTokensOptions? {
  guard support.full || support.range else { return nil }
  return SemanticTokensOptions(
    legend: SemanticTokensLegend(
      tokenTypes: SemanticToken.Kind.allCases.map(\.name),
      tokenModifiers: SemanticToken.modifiers
    ),
    full: support.delta ? .delta : support.full ? .plain : nil,
    range: support.range
  )
}

/// The colours of a whole document.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - told: The colours that the client was told last; brought up to date.
/// - Returns: All of them.
func semanticTokens(
  _ snapshot: Snapshot,
  _ params: SemanticTokensParams,
  _ told: inout SemanticTokenData
) -> SemanticTokens {
  _ = snapshot.update(&told)
  let resultId = snapshot.client.semanticTokens.delta ? "\(told.number)" : nil
  return SemanticTokens(resultId: resultId, data: told.numbers)
}

/// What has changed about the colours since an earlier answer; all of them if it is forgotten.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - told: The colours that the client was told last; brought up to date.
/// - Returns: What has changed.
func semanticTokensDelta(
  _ snapshot: Snapshot,
  _ params: SemanticTokensDeltaParams,
  _ told: inout SemanticTokenData
) -> SemanticTokensOrDelta {
  let isKnown = told.number > 0 && params.previousResultId == "\(told.number)"
  let change = snapshot.update(&told)
  let resultId = "\(told.number)"
  guard isKnown else { return .tokens(SemanticTokens(resultId: resultId, data: told.numbers)) }
  guard !change.old.isEmpty || !change.new.isEmpty else {
    return .delta(SemanticTokensDelta(resultId: resultId, edits: []))
  }
  let edit = SemanticTokensEdit(
    start: change.old.lowerBound,
    deleteCount: change.old.count,
    data: told.numbers[change.new]
  )
  return .delta(SemanticTokensDelta(resultId: resultId, edits: [edit]))
}

/// The colours of a part of a document.
func semanticTokensRange(
  _ snapshot: Snapshot,
  _ params: SemanticTokensRangeParams
) -> SemanticTokens {
  guard snapshot.settings.semanticTokens else { return SemanticTokens(resultId: nil, data: []) }
  let range = snapshot.conversions.offsets(of: params.range)
  let excerpt = snapshot.tracker.excerpt(around: range)
  return SemanticTokens(resultId: nil, data: snapshot.data(of: excerpt, in: range))
}

extension Snapshot {
  /// Brings what is kept of a document's colours up to date; returns what is new about them.
  fileprivate func update(_ told: inout SemanticTokenData) -> SemanticTokenData.Change {
    guard settings.semanticTokens else { return told.removeAll() }
    return told.update(tracker, conversions) { data(of: $0, in: $0.range) }
  }

  /// The numbers of the tokens that an excerpt has in a range.
  fileprivate func data(of excerpt: Excerpt, in range: Range<Int>) -> [UInt32] {
    let support = client.semanticTokens
    var tokens = SemanticToken.tokens(of: excerpt.reading, overlap: support.overlap)
    if excerpt.range != range {
      tokens.removeAll { !excerpt.place(of: $0.range).overlaps(range) }
    }
    return conversions.data(of: tokens, in: excerpt, multiline: support.multiline)
  }
}
