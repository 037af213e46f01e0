/// Reports on documents, written to standard output in the order in which the documents are named.
struct DocumentReports {
  /// A document: its path, and what reads it.
  typealias Document = (
    path: Path, contents: @Sendable () throws(Platform.Failure) -> [UInt8]
  )

  private let documents: [Document]
  /// What could not be read, with reasons.
  private let failures: [String]

  /// - Parameter documents: The documents.
  init(_ documents: [Document]) {
    self.documents = documents
    failures = []
  }

  /// - Parameter arguments: A command line whose operands are the documents.
  /// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document.
  init(_ arguments: ParsedArguments) throws {
    let paths = try DocumentPaths(arguments)
    failures = paths.failures
    documents = paths.files.map { file in
      (file.path, { () throws(Platform.Failure) in try Platform.contents(of: file.path) })
    }
  }

  /// Reads all documents, a few at a time, and writes the report on each.
  ///
  /// A failure with one document does not stop the others; it is reported on standard error.
  ///
  /// - Parameters:
  ///   - isColored: Whether the reports are coloured, and the texts in them harmless.
  ///   - report: Makes the report on a document from its path and bytes.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: `Platform.Failure` if standard output cannot be written.
  func run(
    isColored: Bool,
    _ report: @escaping @Sendable (Path, [UInt8]) throws(Platform.Failure) -> [UInt8]
  ) throws(Platform.Failure) -> Int32 {
    try each { path, bytes throws(Platform.Failure) in
      try report(path, bytes)
    } _: {
      bytes throws(Platform.Failure) in
      try Console.tell(bytes, isColored: isColored)
    }
  }

  /// Reads all documents, a few at a time, and writes a list of what is in each.
  ///
  /// - Parameters:
  ///   - list: Lists what is in a text, entry by entry; called on any thread.
  ///   - write: Writes the list of a document.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: `Platform.Failure` if standard output cannot be written.
  func list<Entry: Sendable>(
    _ list: @escaping @Sendable ([UInt8], (Entry) -> Void) -> Void,
    _ write: (DocumentList<Entry>, Output) -> Void
  ) throws(Platform.Failure) -> Int32 {
    try each { path, bytes throws(Platform.Failure) in
      DocumentList(path, bytes, list)
    } _: {
      entries throws(Platform.Failure) in
      try Platform.withOutput(to: 1) { output in write(entries, output) }
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
    _ read: @escaping @Sendable (Path, [UInt8]) throws(Platform.Failure) -> Report,
    _ pass: (Report) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) -> Int32 {
    var hasFailed = !failures.isEmpty
    for failure in failures { Console.complain(failure) }
    // Enough to keep all processors busy, few enough to fit in memory.
    let batch = 4 * Platform.processors
    for start in stride(from: 0, to: documents.count, by: batch) {
      let range = start..<min(start + batch, documents.count)
      let results = Platform.map(range, onThreads: Platform.processors) {
        [documents] index in
        Result { () throws(Platform.Failure) in
          try read(documents[index].path, documents[index].contents())
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
