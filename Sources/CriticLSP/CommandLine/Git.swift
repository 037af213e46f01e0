/// The queries made to git, if it is installed.

/// The files and folders that git ignores, as paths relative to a folder; the path of a folder ends in a slash.
///
/// - Returns: An empty set if there is no git or no repository.
func ignoredByGit(in folder: String) -> Set<String> {
  let arguments = [
    "-C", folder, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory",
  ]
  guard let output = try? git(arguments) else { return [] }
  return Set(output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
}

/// Runs git, without the programs that a repository's own settings might start.
///
/// - Parameter arguments: The arguments of git.
/// - Returns: The standard output of git.
/// - Throws: `Platform.Failure` with git's message if it fails, or if git is not installed.
func git(_ arguments: [String]) throws(Platform.Failure) -> [UInt8] {
  try Platform.output(of: ["git", "-c", "core.fsmonitor=false"] + arguments)
}

/// A file as it was in a revision, with the line ends and filters that git applies to the working tree.
///
/// - Throws: `Platform.Failure` with git's message.
func contents(of path: String, in revision: String) throws(Platform.Failure) -> [UInt8] {
  let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
  let folder = end == path.startIndex ? "." : String(path[..<end])
  guard !revision.hasPrefix("-") else {
    throw Platform.Failure(description: "\(revision) is not a revision")
  }
  return try git(["-C", folder, "cat-file", "--filters", "\(revision):./\(path[end...])"])
}
