import JSONRPC
import TrackEngine

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html).
struct SarifLog: ChangesReport {
  /// A finding in a file.
  struct Finding {
    let code: ChangeCode
    let message: String
    let region: Region

    /// What is said of a sidecar whose text is not there.
    static var orphan: Finding {
      Finding(
        code: .orphan,
        message: "its text is not there; rename it as that was, put that back, or remove it",
        region: Region(from: (1, 1), to: (1, 1))
      )
    }
  }

  /// The kinds of findings.
  private let rules: [ChangeCode]
  private var hasResult = false

  init(rules: [ChangeCode]) {
    self.rules = rules
  }

  static let changeRules = MarkKind.allCases.map(ChangeCode.mark)
  static let checkRules =
    changeRules + Malformed.Kind.allCases.map(ChangeCode.malformed) + [.orphan, .original]

  func begin() -> [UInt8] {
    var writer = JSONWriter()
    writer.array {
      for rule in rules {
        $0.object {
          $0.member("id", rule.description)
          $0.member("shortDescription", object: { $0.member("text", rule.rule) })
        }
      }
    }
    let list = String(decoding: writer.bytes, as: UTF8.self)
    return Array(
      (#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"#
        + #""tool":{"driver":{"name":"critic-lsp","version":"\#(version)","rules":\#(list)}},"#
        + #""columnKind":"unicodeCodePoints","results":["#).utf8
    )
  }

  mutating func add(_ change: ListedChange, of path: Path) -> [UInt8] {
    let (entry, region) = (change.entry, change.around.region)
    return add(Finding(code: entry.code, message: entry.words.sentence, region: region), of: path)
  }

  /// The output for a finding in a file.
  mutating func add(_ finding: Finding, of path: Path) -> [UInt8] {
    defer { hasResult = true }
    var writer = JSONWriter()
    write(finding, path, to: &writer)
    return Array((hasResult ? ",\n" : "\n").utf8) + writer.bytes
  }

  func end() -> [UInt8] { Array("\n]}]}\n".utf8) }

  private func write(_ finding: Finding, _ path: Path, to writer: inout JSONWriter) {
    writer.object {
      $0.member("ruleId", finding.code.description)
      $0.member("level", SarifLog.changeRules.contains(finding.code) ? "note" : "warning")
      $0.member("message", object: { $0.member("text", finding.message) })
      $0.member(
        "locations",
        array: {
          $0.object {
            $0.member(
              "physicalLocation",
              object: {
                $0.member("artifactLocation", object: { $0.member("uri", SarifLog.uri(of: path)) })
                $0.member(
                  "region",
                  object: {
                    $0.member("startLine", finding.region.line)
                    $0.member("startColumn", finding.region.column)
                    $0.member("endLine", finding.region.endLine)
                    $0.member("endColumn", finding.region.endColumn)
                  }
                )
              }
            )
          }
        }
      )
    }
  }

  /// A path as a URI reference (RFC 3986), relative if the path is.
  private static func uri(of path: Path) -> String {
    var bytes = path.bytes
    while bytes.starts(with: "./".utf8) { bytes = bytes.dropFirst(2) }
    return (path.isAbsolute ? "file://" : "") + PercentEncoding.encoded(bytes)
  }
}

extension ChangeCode {
  /// What a finding of the kind says, whatever the text.
  fileprivate var rule: String {
    switch self {
    case .mark(.addition): "Text was added."
    case .mark(.deletion): "Text was deleted."
    case .mark(.substitution): "Text was replaced."
    case .mark(.highlight): "Text is highlighted."
    case .mark(.comment): "A comment stands alone."
    case .malformed(.unclosed): "A mark is never closed."
    case .malformed(.stray): "A closer closes nothing."
    case .malformed(.undivided): "A substitution has no ~> in it."
    case .malformed(.misspelled): "A substitution has another arrow in place of ~>."
    case .malformed(.overlapping): "A mark begins in another and ends outside it."
    case .malformed(.lookalike): "A dash only looks like the hyphen of a delimiter."
    case .orphan: "The text of a record is not there."
    case .original: "Rejecting all changes does not give the text of an earlier version."
    case .pending, .more: "Files have no such findings."
    }
  }
}
