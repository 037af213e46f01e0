/// The versions of Markdown files in git, each with the one before it.
struct GitHistory: Sendable {
  /// A commit of a file: the version before it and the one that it makes.
  struct Step: Sendable {
    /// The file, as a command line would name it.
    let path: Path
    /// The blobs of both versions.
    let old: String
    let new: String
    /// Who made the commit.
    let author: String
  }

  private let folder: Path
  /// The oldest first; merges are none.
  private(set) var steps: [Step] = []

  /// Finds the commits of a file, or of the Markdown files of a folder.
  ///
  /// - Parameters:
  ///   - path: The file, or the folder.
  ///   - since: A day, as in `2026-11-22`, or a revision after which commits count.
  ///   - more: The extensions of files that are found beside Markdown.
  /// - Throws: `Platform.Failure` with git's message.
  init(of path: Path, since: Path, orOf more: [String]) throws(Platform.Failure) {
    guard since.bytes.first != UInt8(ascii: "-") else {
      throw Platform.Failure(description: "\(since) is not a revision")
    }
    let isFolder = Platform.isFolder(path)
    folder = isFolder ? path : path.openFolder
    let isDay = since.description.isDay
    // Without the hour, git would take the one that it is now. Signatures would be checked by a program that the
    // repository names.
    let range: [Path] = isDay ? ["--since=" + since + "T00:00:00"] : [since + "..HEAD"]
    let list: [Path] = ["-c", "log.showSignature=false", "-C", folder, "log"]
    let form: [Path] = [
      "--topo-order", "--no-merges", "--raw", "-z", "-M", "--no-abbrev", "--relative",
      "--format=a%aN",
    ]
    let output = try git(
      list + form + (isFolder ? [] : ["--follow"]) + range + ["--", isFolder ? "." : path.name]
    )
    var seen: Set<[String]> = []
    var author = ""
    var records = output.records[...]
    while let record = records.popFirst() {
      // A line break parts the author of a commit from its files.
      let record = record.first == UInt8(ascii: "\n") ? record.dropFirst() : record
      guard record.first == UInt8(ascii: ":") else {
        author = String(decoding: record.dropFirst(), as: UTF8.self)
        continue
      }
      // As in `:100644 100644 old new M` and a name; of a file that was renamed, two.
      let words = record.dropFirst().words
      guard words.count == 5, var name = records.popFirst() else { continue }
      if words[4].hasPrefix("R") || words[4].hasPrefix("C") { name = records.popFirst() ?? name }
      guard isFile(words[0]), isFile(words[1]), words[2] != words[3], let name = Path(name),
        !isFolder || Markdown.isLookedAt(path: name, orOf: more),
        // A commit that was picked for another branch, too, counts once.
        seen.insert([words[2], words[3]]).inserted
      else { continue }
      let shown = isFolder ? path / name : path
      steps.append(Step(path: shown, old: words[2], new: words[3], author: author))
    }
    // Git does not follow a file if it is to begin with the oldest commit.
    steps = try withoutLong(steps.reversed())
  }

  /// The longest version that is compared, in bytes.
  private static let longest = 1 << 22

  private func withoutLong(_ steps: [Step]) throws(Platform.Failure) -> [Step] {
    let names = Array(Set(steps.flatMap { [$0.old, $0.new] }))
    let told = try git(
      ["-C", folder, "cat-file", "--batch-check"],
      reading: Array(names.map { $0 + "\n" }.joined().utf8)
    )
    // As in `0123ab blob 42`, and `0123ab missing`.
    let sizes = told.split(separator: UInt8(ascii: "\n")).map(\.words)
    let good = Set(
      sizes.compactMap { words in
        words.count == 3 && (Int(words[2]) ?? .max) <= GitHistory.longest ? words[0] : nil
      }
    )
    return steps.filter { good.contains($0.old) && good.contains($0.new) }
  }

  /// The versions of some steps, by their blobs.
  ///
  /// - Throws: `Platform.Failure` with git's message.
  func texts(of range: Range<Int>) throws(Platform.Failure) -> [String: [UInt8]] {
    let names = Array(Set(steps[range].flatMap { [$0.old, $0.new] }))
    let output = try git(
      ["-C", folder, "cat-file", "--batch"],
      reading: Array(names.map { $0 + "\n" }.joined().utf8)
    )
    var texts: [String: [UInt8]] = [:]
    var rest = output[...]
    // As in `0123ab blob 42`, so many bytes, and a line break.
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let words = rest[..<end].words
      rest = rest[(end + 1)...]
      guard words.count == 3, let size = Int(words[2]), size < rest.count else { continue }
      texts[words[0]] = Array(rest.prefix(size))
      rest = rest.dropFirst(size + 1)
    }
    return texts
  }
}
