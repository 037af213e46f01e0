import TrackEngine

/// The capability that we announce; nil for clients that do not support it.
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

/// Answers `textDocument/semanticTokens/full`.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - told: The tokens last sent; updated.
/// - Returns: All tokens.
func semanticTokens(
  _ snapshot: Snapshot,
  _ params: TextDocumentParams,
  _ told: inout SemanticTokenData
) -> SemanticTokens {
  _ = snapshot.update(&told)
  let resultId = snapshot.client.semanticTokens.delta ? "\(told.number)" : nil
  return SemanticTokens(resultId: resultId, data: told.numbers)
}

/// Answers `textDocument/semanticTokens/full/delta`.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - told: The tokens last sent; updated.
/// - Returns: What has changed since the client's tokens; all tokens if those are not the last ones sent.
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

/// Answers `textDocument/semanticTokens/range`.
func semanticTokensRange(
  _ snapshot: Snapshot,
  _ params: TextDocumentRangeParams
) -> SemanticTokens {
  guard snapshot.settings.semanticTokens else { return SemanticTokens(resultId: nil, data: []) }
  let range = snapshot.conversions.offsets(of: params.range)
  let excerpt = snapshot.tracker.excerpt(around: range)
  return SemanticTokens(resultId: nil, data: snapshot.data(of: excerpt, in: range))
}

extension Snapshot {
  /// Updates the tokens last sent; returns what has changed.
  fileprivate func update(_ told: inout SemanticTokenData) -> SemanticTokenData.Change {
    guard settings.semanticTokens else { return told.removeAll() }
    return told.update(tracker, conversions) { data(of: $0, in: $0.range) }
  }

  /// The encoded tokens of an excerpt in a range.
  fileprivate func data(of excerpt: Excerpt, in range: Range<Int>) -> [UInt32] {
    let support = client.semanticTokens
    var tokens = SemanticToken.tokens(
      of: excerpt.reading,
      in: excerpt.bytes,
      overlap: support.overlap
    )
    if excerpt.range != range {
      tokens.removeAll { !excerpt.inBuffer($0.range).overlaps(range) }
    }
    return conversions.data(of: tokens, in: excerpt, multiline: support.multiline)
  }
}
