/// Reports on documents, written to standard output in the order in which the documents are named.
struct DocumentReports {
  private let paths: DocumentPaths

  /// - Parameter arguments: A command line whose operands are the documents.
  /// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document.
  init(_ arguments: ParsedArguments) throws {
    paths = try DocumentPaths(arguments)
  }

  /// Reads all documents, a few at a time, and writes the report on each.
  ///
  /// A failure with one document does not stop the others; it is reported on standard error.
  ///
  /// - Parameter report: Makes the report on a document from its path and bytes.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: `Platform.Failure` if standard output cannot be written.
  func run(
    _ report: @escaping @Sendable (String, [UInt8]) throws(Platform.Failure) -> [UInt8]
  ) throws(Platform.Failure) -> Int32 {
    try each { path, bytes throws(Platform.Failure) in
      try report(path, bytes)
    } _: {
      bytes throws(Platform.Failure) in
      try Console.write(bytes)
    }
  }

  /// Reads all documents, a few at a time, and passes on each result in order.
  ///
  /// - Parameters:
  ///   - read: Makes a result from a document's path and bytes; called on any thread.
  ///   - pass: Receives the result.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: What `pass` throws.
  func each<Report: Sendable>(
    _ read: @escaping @Sendable (String, [UInt8]) throws(Platform.Failure) -> Report,
    _ pass: (Report) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) -> Int32 {
    var hasFailed = !paths.failures.isEmpty
    for failure in paths.failures { Console.complain(failure) }
    let files = paths.files
    // Enough to keep all processors busy, few enough to fit in memory.
    let batch = 4 * Platform.processors
    for start in stride(from: 0, to: files.count, by: batch) {
      let range = start..<min(start + batch, files.count)
      let results = Platform.map(range, onThreads: Platform.processors) { index in
        Result { () throws(Platform.Failure) in
          try read(files[index].path, Platform.contents(of: files[index].path))
        }
      }
      for result in results {
        switch result {
        case .success(let report): try pass(report)
        case .failure(let failure):
          hasFailed = true
          Console.complain(failure.description)
        }
      }
    }
    return hasFailed ? 2 : 0
  }
}
