/// Reports on documents, written to standard output in the order in which the documents are named.
struct DocumentReports {
  /// A document.
  struct Document: Sendable {
    let path: Path
    /// Whether it is what is at its path.
    let isFile: Bool
    /// Whether it is known that its marks are in a sidecar.
    let isBeside: Bool
    /// Reads its text with the marks.
    let contents: @Sendable () throws(Platform.Failure) -> [UInt8]

    /// Whether its marks are in a sidecar.
    var areMarksBeside: Bool { isBeside || isFile && Sidecar.isBeside(path) }
  }

  private let documents: [Document]
  /// What could not be read, with reasons.
  private let failures: [String]

  /// - Parameter documents: The documents.
  init(_ documents: [Document]) {
    self.documents = documents
    failures = []
  }

  /// - Parameters:
  ///   - arguments: A command line whose operands are the documents.
  ///   - findsOrphans: Whether a folder also stands for the sidecars in it whose texts are not there.
  /// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document.
  init(_ arguments: ParsedArguments, findsOrphans: Bool = false) throws {
    let paths = try DocumentPaths(arguments, findsOrphans: findsOrphans)
    failures = paths.failures
    documents = paths.files.map { file in
      Document(path: file.path, isFile: true, isBeside: false) { () throws(Platform.Failure) in
        try Sidecar.markedContents(of: file.path)
      }
    }
  }

  /// The documents, in order.
  var paths: [Path] { documents.map(\.path) }

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
    try each { document throws(Platform.Failure) in
      try report(document.path, document.contents())
    } _: {
      bytes throws(Platform.Failure) in
      try Console.tell(bytes, isColored: isColored)
      return nil
    }
  }

  /// Reads all documents, a few at a time, and writes a list of what is in each.
  ///
  /// - Parameters:
  ///   - lister: Lists what is in a document; called on any thread.
  ///   - write: Writes the list of a document; returns why some of it is missing, if it is.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: `Platform.Failure` if standard output cannot be written.
  func list<Lister: DocumentLister>(
    _ lister: Lister,
    _ write: (DocumentList<Lister>, Output) -> Platform.Failure?
  ) throws(Platform.Failure) -> Int32 {
    try each { document throws(Platform.Failure) in
      let shortest = DocumentList<Lister>.longestInMemory
      // Places are those of the marks.
      if document.areMarksBeside {
        return DocumentList(document.path.sidecar, try document.contents(), lister.ofRecord)
      }
      if document.isFile, Sidecar.isOrphan(document.path) {
        var list = DocumentList(document.path, try document.contents(), lister.ofRecord)
        list.isOrphan = true
        return list
      }
      if document.isFile, let file = try LongFile(document.path, shortest: shortest) {
        return try DocumentList(document.path, file, lister)
      }
      return DocumentList(document.path, try document.contents(), lister)
    } _: {
      entries throws(Platform.Failure) in
      var failure: Platform.Failure?
      try Platform.withOutput(to: 1) { output in failure = write(entries, output) }
      return failure
    }
  }

  /// Reads all documents, a few at a time, and passes on each result in order.
  ///
  /// - Parameters:
  ///   - read: Makes a result from a document; called on any thread.
  ///   - pass: Receives the result; returns a failure with that document, if there is one.
  /// - Returns: The exit code: 0, or 2 if something failed.
  /// - Throws: What `pass` throws.
  func each<Report: Sendable>(
    _ read: @escaping @Sendable (Document) throws(Platform.Failure) -> Report,
    _ pass: (Report) throws(Platform.Failure) -> Platform.Failure?
  ) throws(Platform.Failure) -> Int32 {
    var hasFailed = !failures.isEmpty
    for failure in failures { Console.complain(failure) }
    // Enough to keep all processors busy, few enough to fit in memory.
    let batch = 4 * Platform.processors
    for start in stride(from: 0, to: documents.count, by: batch) {
      let range = start..<min(start + batch, documents.count)
      let results = Platform.map(range, onThreads: Platform.processors) {
        [documents] index in
        Result { () throws(Platform.Failure) in try read(documents[index]) }
      }
      for result in results {
        var failure: Platform.Failure?
        switch result {
        case .success(let report): failure = try pass(report)
        case .failure(let reason): failure = reason
        }
        guard let failure else { continue }
        hasFailed = true
        Console.complain(failure.description)
      }
    }
    return hasFailed ? 2 : 0
  }
}
