/// Revisions and the index, as git has them, if it is installed.

extension ArraySlice<UInt8> {
  /// The words before a tab, and what follows it, as in `100644 blob 0123ab<tab>name`.
  fileprivate var entry: (words: [String], name: Path)? {
    guard let tab = firstIndex(of: UInt8(ascii: "\t")), let name = Path(self[(tab + 1)...]) else {
      return nil
    }
    return (self[..<tab].words, name)
  }

  /// The words of a line.
  var words: [String] {
    split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Whether a mode is that of a file, not of a link or of another repository.
func isFile(_ mode: String) -> Bool { mode.hasPrefix("100") }

// MARK: - A revision

/// The files of a folder in a revision, with the line ends that they have in the working tree.
///
/// No filter is run, for that is a program which the repository names.
struct GitRevision {
  private let folder: Path
  /// The blob of each, by its path from the folder on.
  private var blobs: [Path: Path] = [:]
  /// The settings `core.autocrlf` and `core.eol`, in lower case.
  private let autocrlf: String
  private let endOfLine: String

  /// Finds the files of a folder, in folders in it too; or one file.
  ///
  /// - Parameters:
  ///   - revision: As git reads it.
  ///   - folder: The folder.
  ///   - file: The only file, by its name.
  /// - Throws: `Platform.Failure` with git's message.
  init(_ revision: Path, of folder: Path, _ file: Path? = nil) throws(Platform.Failure) {
    guard revision.bytes.first != UInt8(ascii: "-") else {
      throw Platform.Failure(description: "\(revision) is not a revision")
    }
    self.folder = folder
    let list: [Path] = ["-C", folder, "ls-tree", "-r", "-z", revision, "--", file ?? "."]
    for record in try git(list).records {
      guard let (words, name) = record.entry, words.count == 3, isFile(words[0]) else { continue }
      blobs[name] = Path(words[2].utf8)
    }
    autocrlf = gitSetting("core.autocrlf", in: folder).lowercased()
    endOfLine = gitSetting("core.eol", in: folder).lowercased()
  }

  /// The paths of the files, from the folder on.
  var names: Set<Path> { Set(blobs.keys) }

  /// A file; nil if the revision does not have it.
  ///
  /// - Throws: `Platform.Failure` with git's message.
  func contents(of name: Path) throws(Platform.Failure) -> [UInt8]? {
    guard let blob = blobs[name] else { return nil }
    let bytes = try git(["-C", folder, "cat-file", "blob", blob])
    return try hasCRLF(name, bytes) ? bytes.withCRLF : bytes
  }

  /// Whether git gives each line of a file a carriage return in the working tree.
  private func hasCRLF(_ name: Path, _ bytes: [UInt8]) throws(Platform.Failure) -> Bool {
    // As in `name`, `text`, `auto`, and the same for the next attribute.
    let told = try git(["-C", folder, "check-attr", "-z", "text", "eol", "--", name]).records
    guard told.count == 6 else { return false }
    let text = String(decoding: told[2], as: UTF8.self)
    let eol = String(decoding: told[5], as: UTF8.self)
    guard text != "unset" else { return false }
    let isTold = text == "set" || text == "auto"
    // An end of lines that is named makes a text of the file.
    let isAutomatic = text == "auto" || !isTold && eol != "crlf"
    guard !isAutomatic || bytes.isTextWithLF else { return false }
    if eol == "crlf" || eol == "lf" { return eol == "crlf" }
    if autocrlf == "true" { return true }
    return isTold && autocrlf != "input" && endOfLine == "crlf"
  }
}

extension [UInt8] {
  /// Whether git takes this for a text, one that has no carriage returns yet.
  fileprivate var isTextWithLF: Bool { !contains(0) && !contains(0x0D) }

  /// The text with a carriage return before each line feed.
  fileprivate var withCRLF: [UInt8] {
    var result: [UInt8] = []
    for byte in self {
      if byte == 0x0A, result.last != 0x0D { result.append(0x0D) }
      result.append(byte)
    }
    return result
  }
}

// MARK: - The index

/// The documents of the index, which the next commit takes.
enum GitIndex {
  /// Finds files.
  ///
  /// - Parameters:
  ///   - paths: Files and folders; empty for the files that differ from the last commit.
  ///   - more: The extensions of files that are found beside Markdown.
  /// - Returns: The path of each from the working directory on, and its blob.
  /// - Throws: `Platform.Failure` with git's message.
  static func files(
    below paths: [Path],
    orOf more: [String]
  ) throws(Platform.Failure) -> [(path: Path, blob: Path)] {
    let list: [Path] =
      paths.isEmpty
      ? ["diff", "--cached", "--raw", "--relative", "--no-abbrev", "--no-renames"]
      : ["ls-files", "--stage"]
    let records = try run(list + ["-z", "--"] + paths).records
    var entries = records.compactMap { record -> (String, String, Path)? in
      // While a merge is not finished there are several of a name.
      record.entry.flatMap { $0.words.count == 3 ? ($0.words[0], $0.words[1], $0.name) : nil }
    }
    if paths.isEmpty {
      // Two records each, as in `:100644 100644 old new M` and `name`.
      entries = stride(from: 0, to: records.count - 1, by: 2).compactMap { index in
        let words = records[index].words
        guard words.count == 5, let name = Path(records[index + 1]) else { return nil }
        return (words[1], words[3], name)
      }
    }
    return entries.compactMap { mode, blob, name in
      guard isFile(mode), Markdown.isMarkdown(file: name.name.bytes, orOf: more) else { return nil }
      return Path(blob.utf8).map { (name, $0) }
    }
  }

  /// The bytes of a file, as they will be committed.
  static func contents(of blob: Path) throws(Platform.Failure) -> [UInt8] {
    try run(["cat-file", "blob", blob])
  }

  /// A commit of some of the files has an index of its own, which the hook is to look at.
  private static func run(_ arguments: [Path]) throws(Platform.Failure) -> [UInt8] {
    try git(arguments, keeping: ["GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
  }
}
