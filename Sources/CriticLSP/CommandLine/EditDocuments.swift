import TrackEngine

extension Subcommand {
  /// What the help of commands says that use ``editDocuments(_:_:)``.
  static let inEditorNote =
    "With --in-place, a file that is open in an editor is changed there: what is not saved is kept, and you save"
    + " it. This takes an editor that tells the server of every key and refuses edits of an outdated version, as"
    + " Neovim, Helix and Emacs with our package do; of what is open in others, the file is changed."
}

/// Edits the documents that a command line names, or with `--dry-run` shows what would change.
///
/// - Parameters:
///   - arguments: The command line of a command with `--output`, `--in-place`, `--dry-run` and `--color`.
///   - isProposal: Whether the edits propose something.
///   - edits: Makes the edits of a document, given its path and its bytes; called on any thread.
/// - Returns: The exit code.
/// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document or standard output cannot be written.
func editDocuments(
  _ arguments: ParsedArguments,
  isProposal: Bool = false,
  _ edits: @escaping @Sendable (Path, [UInt8]) throws(Platform.Failure) -> [Edit]
) throws -> Int32 {
  if arguments.has(.dryRun) {
    let isColored = arguments.wantsColor(on: 1)
    return try DocumentReports(arguments).run(isColored: isColored) {
      path,
      bytes throws(Platform.Failure) in
      var text = bytes
      if path != "-", let shown = try FileOwner.text(of: FilePlace(path)) { text = shown }
      return EditPreview(try edits(path, text), of: text, in: path, isColored: isColored).bytes
    }
  }
  var jobs = try DocumentJobs(arguments)
  jobs.edits = edits
  jobs.isProposal = isProposal
  return try jobs.run { job, bytes throws(Platform.Failure) in
    let source = Array(bytes)
    return DocumentJobs.NewText(source.applying(try edits(job.source, source)), of: bytes)
  }
}
