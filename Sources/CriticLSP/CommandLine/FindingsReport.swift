/// Findings in files as lines of text or as a SARIF log.
struct FindingsReport {
  private var sarif: SarifLog?
  private(set) var hasFound = false

  init(isSarif: Bool) {
    sarif = isSarif ? SarifLog(rules: SarifLog.checkRules) : nil
  }

  /// Writes what is before the findings.
  func begin() throws(Platform.Failure) {
    if let start = sarif?.begin() { try Console.write(start) }
  }

  /// Writes what is behind the findings.
  func end() throws(Platform.Failure) {
    if let end = sarif?.end() { try Console.write(end) }
  }

  /// The output for a finding in a file.
  mutating func add(_ finding: SarifLog.Finding, of path: Path) -> [UInt8] {
    hasFound = true
    let text = "\(path):\(finding.region.line):\(finding.region.column): \(finding.message)\n"
    return Console.shown(sarif?.add(finding, of: path) ?? Array(text.utf8))
  }
}
