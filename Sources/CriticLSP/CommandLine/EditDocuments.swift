import TrackEngine

/// Edits the documents that a command line names, or with `--dry-run` shows what would change.
///
/// - Parameters:
///   - arguments: The command line of a command with `--in-place`, `--dry-run` and `--color`.
///   - edits: Makes the edits of a document, given its path and its bytes; called on any thread.
/// - Returns: The exit code.
/// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document or standard output cannot be written.
func editDocuments(
  _ arguments: ParsedArguments,
  _ edits: @escaping @Sendable (Path, [UInt8]) throws(Platform.Failure) -> [Edit]
) throws -> Int32 {
  if arguments.has(.dryRun) {
    let isColored = arguments.wantsColor(on: 1)
    return try DocumentReports(arguments).run(isColored: isColored) {
      path,
      bytes throws(Platform.Failure) in
      EditPreview(try edits(path, bytes), of: bytes, in: path, isColored: isColored).bytes
    }
  }
  return try DocumentJobs(arguments).run {
    job,
    bytes throws(Platform.Failure) in
    let source = Array(bytes)
    return DocumentJobs.NewText(source.applying(try edits(job.source, source)), of: bytes)
  }
}
