import JSONRPC
import TrackEngine

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html).
struct SarifLog: ChangesReport {
  /// A finding in a file; lines and columns count from 1, columns in Unicode scalars; the end is exclusive.
  struct Finding {
    let rule: String
    let message: String
    let line: Int
    let column: Int
    let endLine: Int
    let endColumn: Int
  }

  /// The kinds of findings, each with an identifier and a text.
  private let rules: [(id: String, text: String)]
  private var hasResult = false

  init(rules: [(id: String, text: String)]) {
    self.rules = rules
  }

  /// The kinds of changes.
  static let changeRules = [
    (id: "addition", text: "Text was added."), (id: "deletion", text: "Text was deleted."),
    (id: "substitution", text: "Text was replaced."),
    (id: "highlight", text: "Text is highlighted."),
    (id: "comment", text: "A comment stands alone."),
  ]

  func begin() -> [UInt8] {
    var writer = JSONWriter()
    writer.array {
      for rule in rules {
        $0.object {
          $0.member("id", rule.id)
          $0.member("shortDescription", object: { $0.member("text", rule.text) })
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
    add(Finding(change, message: "\(change.words.verb.first) \(change.words.objects)"), of: path)
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
    let isChange = SarifLog.changeRules.contains { $0.id == finding.rule }
    writer.object {
      $0.member("ruleId", finding.rule)
      $0.member("level", isChange ? "note" : "warning")
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
                    $0.member("startLine", finding.line)
                    $0.member("startColumn", finding.column)
                    $0.member("endLine", finding.endLine)
                    $0.member("endColumn", finding.endColumn)
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

extension SarifLog.Finding {
  init(_ change: ListedChange, message: String) {
    self.init(
      rule: change.kind.description,
      message: message,
      line: change.around.line,
      column: change.around.column,
      endLine: change.around.endLine,
      endColumn: change.around.endColumn
    )
  }
}
