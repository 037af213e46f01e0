/// Runs git, without the programs that a repository's own settings might start, and without the variables by which a
/// git that has started us, as for a hook, tells which repository it means: we say that ourselves.
///
/// - Parameters:
///   - arguments: The arguments of git.
///   - input: What it reads from standard input.
///   - kept: Those of the variables that it gets all the same.
/// - Returns: The standard output of git.
/// - Throws: `Platform.Failure` with git's message if it fails, or if git is not installed.
func git(
  _ arguments: [Path],
  reading input: [UInt8] = [],
  keeping kept: Set<String> = []
) throws(Platform.Failure) -> [UInt8] {
  try Platform.run(
    command(arguments),
    reading: input,
    without: localVariables.subtracting(kept)
  ).output
}

/// Starts git in the same way, beside us.
///
/// - Parameter arguments: The arguments of git.
/// - Returns: The program, which writes what was asked for.
/// - Throws: `Platform.Failure` if git is not installed.
func gitBeside(_ arguments: [Path]) throws(Platform.Failure) -> BackgroundProgram {
  try BackgroundProgram(command(arguments), without: localVariables)
}

/// A setting of git's in a folder, as it is written; empty if there is none.
func gitSetting(_ name: Path, in folder: Path) -> String {
  guard let value = try? git(["-C", folder, "config", "-z", name]) else { return "" }
  return String(decoding: value.records.first ?? [], as: UTF8.self)
}

/// The command line that runs git with some arguments.
private func command(_ arguments: [Path]) -> [Path] {
  ["git", "-c", "core.fsmonitor=false", "--literal-pathspecs"] + arguments
}

/// What `git rev-parse --local-env-vars` lists.
private let localVariables: Set = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
  "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
  "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
  "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR",
]

extension [UInt8] {
  /// The parts of an output that end in a zero byte.
  var records: [ArraySlice<UInt8>] {
    split(separator: 0, omittingEmptySubsequences: false).dropLast()
  }
}
