/// What is asked of git, where there is one.

/// The files and folders in a folder that git ignores, by their paths from it on; a folder's ends in a slash.
///
/// - Returns: None where there is no git, or no repository.
func ignoredByGit(in folder: String) -> Set<String> {
  let arguments = [
    "-C", folder, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory",
  ]
  guard let output = try? git(arguments) else { return [] }
  return Set(output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
}

/// Runs git, without what a repository's own settings might have it start.
///
/// - Parameter arguments: Its command line.
/// - Returns: What it writes to standard output.
/// - Throws: `Platform.Failure` with what it says if it fails, or that it is not there.
func git(_ arguments: [String]) throws(Platform.Failure) -> [UInt8] {
  try Platform.output(of: ["git", "-c", "core.fsmonitor=false"] + arguments)
}

/// A file as it was in a revision, with the line ends and all else that git gives to files of the working tree.
///
/// - Throws: `Platform.Failure` with what git says.
func contents(of path: String, in revision: String) throws(Platform.Failure) -> [UInt8] {
  let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
  let folder = end == path.startIndex ? "." : String(path[..<end])
  guard !revision.hasPrefix("-") else {
    throw Platform.Failure(description: "\(revision) is no revision")
  }
  return try git(["-C", folder, "cat-file", "--filters", "\(revision):./\(path[end...])"])
}
