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

  /// A file with its marks, wherever they are; nil if the revision does not have it.
  ///
  /// - Parameters:
  ///   - name: The file.
  ///   - path: The same, for messages.
  /// - Returns: Its text.
  /// - Throws: `Platform.Failure` with git's message, or if its sidecar cannot be used.
  func markedContents(of name: Path, at path: Path) throws(Platform.Failure) -> [UInt8]? {
    guard let bytes = try contents(of: name) else { return nil }
    return try Sidecar.marked(bytes, contents(of: name.sidecar), of: path)
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
  /// A document of the index.
  struct Document {
    /// From the working directory on.
    let path: Path
    let blob: Path
    /// The blob of its sidecar, if it has one.
    let sidecar: Path?

    /// Its text with the marks, wherever they are, as it will be committed.
    ///
    /// - Throws: `Platform.Failure` with git's message, or if the sidecar cannot be used.
    func markedContents() throws(Platform.Failure) -> [UInt8] {
      let bytes = try contents(of: blob)
      return try Sidecar.marked(bytes, sidecar.map(contents), of: path)
    }
  }

  /// Finds documents.
  ///
  /// - Parameters:
  ///   - paths: Files and folders; empty for the documents that differ from the last commit, or whose sidecars do.
  ///   - more: The extensions of files that are found beside Markdown.
  /// - Returns: The documents.
  /// - Throws: `Platform.Failure` with git's message.
  static func documents(
    below paths: [Path],
    orOf more: [String]
  ) throws(Platform.Failure) -> [Document] {
    var named: Set<Path>?
    if paths.isEmpty {
      let list: [Path] = ["diff", "--cached", "--name-only", "--relative", "--no-renames", "-z"]
      named = Set(try run(list).records.compactMap { Path($0) }.map { $0.sidecarText ?? $0 })
    }
    let list: [Path] = ["ls-files", "--stage", "-z", "--"]
    // A text comes with its sidecar.
    let entries = try run(list + paths + paths.map(\.sidecar)).records.compactMap {
      record -> (path: Path, blob: Path)? in
      guard let (words, name) = record.entry, words.count == 3, isFile(words[0]) else { return nil }
      return Path(words[1].utf8).map { (name, $0) }
    }
    // While a merge is not finished there are several of a name.
    let blobs = Dictionary(entries.map { ($0.path, $0.blob) }) { first, _ in first }
    return entries.compactMap { path, blob in
      guard Markdown.isMarkdown(file: path.name.bytes, orOf: more), named?.contains(path) ?? true
      else { return nil }
      return Document(path: path, blob: blob, sidecar: blobs[path.sidecar])
    }
  }

  private static func contents(of blob: Path) throws(Platform.Failure) -> [UInt8] {
    try run(["cat-file", "blob", blob])
  }

  /// A commit of some of the files has an index of its own, which the hook is to look at.
  private static func run(_ arguments: [Path]) throws(Platform.Failure) -> [UInt8] {
    try git(arguments, keeping: ["GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
  }
}
