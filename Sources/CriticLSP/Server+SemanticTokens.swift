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
    let count = document.tracker.buffer.count
    let data = semanticTokens(of: document, around: 0..<count)
    let number = remember(data, of: document)
    return { Server.write(data, number, to: &$0) }
  }

  /// What has changed about the colours since an earlier answer; all of them if it is forgotten.
  func semanticTokensDelta(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let count = document.tracker.buffer.count
    let data = semanticTokens(of: document, around: 0..<count)
    let known = document.semanticTokens
    let number = remember(data, of: document)
    guard let known, params?["previousResultId"]?.string == "\(known.number)" else {
      return { Server.write(data, number, to: &$0) }
    }
    let (range, new) = Server.difference(from: known.data, to: data)
    return { writer in
      writer.object {
        $0.member("resultId", "\(number)")
        $0.member(
          "edits",
          array: {
            guard !range.isEmpty || !new.isEmpty else { return }
            $0.object {
              $0.member("start", range.lowerBound)
              $0.member("deleteCount", range.count)
              $0.member("data", array: { for number in new { $0.integer(Int(number)) } })
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
    let data = semanticTokens(of: document, around: range)
    return { Server.write(data, nil, to: &$0) }
  }

  private func semanticTokens(of document: Document, around range: Range<Int>) -> [UInt32] {
    guard settings.semanticTokens else { return [] }
    let excerpt = document.tracker.excerpt(around: range)
    let support = client.semanticTokens
    var tokens = SemanticToken.tokens(of: excerpt.reading, overlap: support.overlap)
    if excerpt.range != range {
      tokens.removeAll { !excerpt.place(of: $0.range).overlaps(range) }
    }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return conversions.data(of: tokens, in: excerpt, multiline: support.multiline)
  }

  /// Keeps what was answered, for the difference to be told next time; returns its number.
  private func remember(_ data: [UInt32], of document: Document) -> Int {
    guard client.semanticTokens.delta else { return 0 }
    let number = (document.semanticTokens?.number ?? 0) + 1
    let answer = Document.SemanticTokens(number: number, data: data)
    documents[key(of: document.uri)]?.semanticTokens = answer
    return number
  }

  private static func write(_ data: [UInt32], _ number: Int?, to writer: inout JSONWriter) {
    writer.object {
      if let number, number > 0 { $0.member("resultId", "\(number)") }
      $0.member("data", array: { for number in data { $0.integer(Int(number)) } })
    }
  }

  /// The part of `old` that `new` has something else for; whole tokens, which are five numbers.
  private static func difference(
    from old: [UInt32],
    to new: [UInt32]
  ) -> (Range<Int>, ArraySlice<UInt32>) {
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    head -= head % 5
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    tail -= tail % 5
    return (head..<old.count - tail, new[head..<new.count - tail])
  }
}
