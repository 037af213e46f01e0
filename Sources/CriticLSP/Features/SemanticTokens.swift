import JSONRPC
import TrackEngine

extension Server {
  /// Writes what we offer, for clients that announce that they can use it.
  static func writeSemanticTokensProvider(
    for support: SemanticTokensSupport,
    to writer: inout JSONWriter
  ) {
    guard support.full || support.range else { return }
    writer.member(
      "semanticTokensProvider",
      object: {
        $0.member(
          "legend",
          object: {
            $0.member("tokenTypes", SemanticToken.Kind.allCases.map(\.name))
            $0.member("tokenModifiers", SemanticToken.modifiers)
          }
        )
        if support.delta {
          $0.member("full", object: { $0.member("delta", true) })
        } else if support.full {
          $0.member("full", true)
        }
        if support.range { $0.member("range", true) }
      }
    )
  }

  /// The colours of a whole document.
  func semanticTokens(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    _ = updateSemanticTokens(of: document)
    return { [self, told = document.semanticTokens] writer in
      writer.object {
        if client.semanticTokens.delta { $0.member("resultId", "\(told.number)") }
        writeData(told.numbers[...], to: &$0)
      }
    }
  }

  /// What has changed about the colours since an earlier answer; all of them if it is forgotten.
  func semanticTokensDelta(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let known = document.semanticTokens.number
    let isKnown = known > 0 && params?["previousResultId"]?.string == "\(known)"
    let change = updateSemanticTokens(of: document)
    return { [self, told = document.semanticTokens] writer in
      writer.object {
        $0.member("resultId", "\(told.number)")
        guard isKnown else { return writeData(told.numbers[...], to: &$0) }
        $0.member(
          "edits",
          array: {
            guard !change.old.isEmpty || !change.new.isEmpty else { return }
            $0.object {
              $0.member("start", change.old.lowerBound)
              $0.member("deleteCount", change.old.count)
              writeData(told.numbers[change.new], to: &$0)
            }
          }
        )
      }
    }
  }

  /// The colours of a part of a document.
  func semanticTokensRange(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    guard let range = conversions.range(of: params?["range"]) else {
      throw .invalidParams("The range is missing.")
    }
    let excerpt = document.tracker.excerpt(around: range)
    let data = settings.semanticTokens ? self.data(of: excerpt, in: range, conversions) : []
    return { [self] writer in
      writer.object { writeData(data[...], to: &$0) }
    }
  }

  /// Brings what is kept of a document's colours up to date; returns what is new about them.
  private func updateSemanticTokens(of document: Document) -> SemanticTokenData.Change {
    guard settings.semanticTokens else { return document.semanticTokens.removeAll() }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return document.semanticTokens.update(document.tracker, conversions) {
      data(of: $0, in: $0.range, conversions)
    }
  }

  /// The numbers of the tokens that an excerpt has in a range.
  private func data(
    of excerpt: Excerpt,
    in range: Range<Int>,
    _ conversions: Conversions
  ) -> [UInt32] {
    let support = client.semanticTokens
    var tokens = SemanticToken.tokens(of: excerpt.reading, overlap: support.overlap)
    if excerpt.range != range {
      tokens.removeAll { !excerpt.place(of: $0.range).overlaps(range) }
    }
    return conversions.data(of: tokens, in: excerpt, multiline: support.multiline)
  }

  private func writeData(_ data: ArraySlice<UInt32>, to writer: inout JSONWriter) {
    writer.member("data", array: { for number in data { $0.integer(Int(number)) } })
  }
}
