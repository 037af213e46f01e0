import TrackEngine

/// Documents to read, and where to write the results.
struct DocumentJobs {
  /// A document, and the target of the new text; nil is standard output.
  struct Job: Sendable {
    var source: Path
    var target: Path?
    /// Whether the new text replaces the document itself.
    var isInPlace = false
  }

  /// The result of a command for a document.
  struct NewText {
    /// Whether it is identical to the document, byte for byte.
    let isUnchanged: () -> Bool
    /// Writes it in parts.
    let write: (_ append: (UnsafeBufferPointer<UInt8>) -> Void) -> Void
  }

  private let jobs: [Job]
  /// Whether there may be more than one.
  let isSeveral: Bool
  private let failures: [String]
  /// Makes the edits of a document that is changed in place while an editor has it open; without it, the file is
  /// changed.
  var edits: (@Sendable (Path, [UInt8]) throws(Platform.Failure) -> [Edit])?
  /// Whether they propose something.
  var isProposal = false

  /// Determines the targets.
  ///
  /// - Parameters:
  ///   - arguments: A command line with `--output`, `--in-place` and `--suffix`, as far as the command has them.
  ///   - suffix: The option of that name, if the command has it.
  ///   - ending: The extension, with its dot, of what is written into a folder; nil for that of the document.
  /// - Throws: ``UsageFailure``, or `Platform.Failure` if there is no document.
  init(
    _ arguments: ParsedArguments,
    suffix: Subcommand.Option? = nil,
    ending: Path? = nil
  ) throws {
    let output = arguments.output
    let isInPlace = arguments.has(.inPlace)
    let suffix = suffix.flatMap(arguments.path)
    if isInPlace, arguments.path(of: .output) != nil {
      throw arguments.fail("Use either -o or --in-place, not both.")
    }
    if isInPlace, suffix != nil {
      throw arguments.fail("Use either --suffix or --in-place, not both.")
    }
    if isInPlace, arguments.operands.contains("-") {
      throw arguments.fail("Standard input cannot be replaced in place.")
    }
    let paths = try DocumentPaths(arguments)
    failures = paths.failures
    isSeveral = paths.isSeveral
    let isIntoFolder = paths.isSeveral || output.map(Platform.isFolder) == true
    if isIntoFolder { try arguments.expectFolderAsOutput() }
    var writers: [FileIdentity: Path] = [:]
    jobs = try paths.files.compactMap { source in
      // An output file beside its document is not itself a document.
      if let suffix, source.path != source.name, DocumentJobs.has(suffix, source.name) {
        return nil
      }
      var job = Job(source: source.path)
      if isInPlace {
        job.target = source.path
      } else if let output {
        let suffixed = suffix.map { DocumentJobs.with($0, source.name) } ?? source.name
        let name = ending.map { suffixed.splitAtExtension.stem + $0 } ?? suffixed
        job.target = isIntoFolder ? output / name : output
      } else if let suffix, source.path != "-" {
        job.target = DocumentJobs.with(suffix, source.path)
      }
      guard let target = job.target else { return job }
      let identity = Platform.identity(of: target)
      let other = writers.updateValue(source.path, forKey: identity ?? .name(target))
      // A file named twice is replaced once.
      if other != nil, isInPlace { return nil }
      if let other {
        throw arguments.fail("\(other) and \(source.path) would both be written to \(target).")
      }
      job.isInPlace =
        isInPlace || identity != nil && identity == Platform.identity(of: source.path)
      return job
    }
  }

  /// A name with a suffix before its extension: `a.md` and `.clean` make `a.clean.md`.
  private static func with(_ suffix: Path, _ path: Path) -> Path {
    let (stem, end) = path.splitAtExtension
    return stem + suffix + end
  }

  private static func has(_ suffix: Path, _ name: Path) -> Bool {
    name.splitAtExtension.stem.bytes.reversed().starts(with: suffix.bytes.reversed())
  }

  /// Reads all documents and writes the results, several at a time.
  ///
  /// A failure with one file does not stop the others; it is reported on standard error.
  ///
  /// - Parameter transform: Makes the new text from the bytes of a document, which are valid as long as the new
  ///   text is used.
  /// - Returns: The exit code.
  /// - Throws: `Platform.Failure` if the reader of standard output has gone.
  func run(
    _ transform:
      @escaping @Sendable (Job, UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> NewText
  ) throws(Platform.Failure) -> Int32 {
    let all: [Platform.Failure?]
    // Files can be written in parallel; standard output cannot.
    if jobs.contains(where: { $0.target == nil }) {
      all = try failuresInOrder(transform)
    } else {
      Platform.tidyWhenEnded()
      let progress = ProgressLine(of: jobs.count)
      all = Platform.map(
        0..<jobs.count,
        onThreads: Platform.processors,
        { [self] in failure(of: jobs[$0], transform) },
        afterEach: progress.show
      )
      progress.end()
    }
    let complaints = failures + all.compactMap { $0?.description }
    for complaint in complaints { Console.complain(complaint) }
    return complaints.isEmpty ? 0 : 2
  }

  private typealias Transform =
    @Sendable (Job, UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> NewText

  /// Runs jobs in order, until the reader of standard output has gone.
  private func failuresInOrder(
    _ transform: Transform
  ) throws(Platform.Failure) -> [Platform.Failure?] {
    var failures: [Platform.Failure?] = []
    for job in jobs {
      let failure = failure(of: job, transform)
      if let failure, failure.isReaderGone { throw failure }
      failures.append(failure)
    }
    return failures
  }

  /// Runs a job; returns its failure, if any.
  private func failure(of job: Job, _ transform: Transform) -> Platform.Failure? {
    do throws(Platform.Failure) {
      try run(job, transform)
      return nil
    } catch {
      return error
    }
  }

  private func run(_ job: Job, _ transform: Transform) throws(Platform.Failure) {
    guard !job.isInPlace else { return try change(job, transform) }
    try withMarkedContents(of: job.source) { (bytes) throws(Platform.Failure) in
      let text = try transform(job, bytes)
      guard let target = job.target else {
        return try Platform.withOutput(to: 1) { output in text.write(output.append) }
      }
      try OutputFile.write(to: target) { output in text.write(output.append) }
    }
  }

  private func change(_ job: Job, _ transform: Transform) throws(Platform.Failure) {
    let place = try FilePlace(job.source)
    if let edits,
      try FileOwner.change(
        place,
        isProposal: isProposal,
        { (text) throws(Platform.Failure) in try edits(job.source, text) }
      )
    {
      Console.complain("\(job.source): \(FileOwner.told)")
      return
    }
    let alone = try place.changeAlone { (bytes) throws(Platform.Failure) in
      let text = try transform(job, bytes)
      return text.isUnchanged() ? nil : { output in text.write(output.append) }
    }
    let names: Int
    if let alone {
      names = alone
    } else {
      names = try Sidecar(of: place).change { (old) throws(Platform.Failure) in
        try changed(old, job, transform)
      }
    }
    if names > 1 { Console.complain(FilePlace.told(names, of: job.source)) }
  }
}

extension DocumentJobs {
  /// The contents of a document with its marks; a long one whose marks are in it is not copied.
  private func withMarkedContents(
    of path: Path,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Platform.Failure) -> Void
  ) throws(Platform.Failure) {
    guard Sidecar.isBeside(path) else { return try Platform.withContents(of: path, body) }
    try Sidecar.markedContents(of: path).withUnsafeBufferPointer {
      (bytes) throws(Platform.Failure) in try body(bytes)
    }
  }

  /// The new text of one whose marks are beside it; nil if it stays.
  private func changed(
    _ old: [UInt8],
    _ job: Job,
    _ transform: Transform
  ) throws(Platform.Failure) -> [UInt8]? {
    try old.withUnsafeBufferPointer { (bytes) throws(Platform.Failure) -> [UInt8]? in
      let text = try transform(job, bytes)
      guard !text.isUnchanged() else { return nil }
      var new: [UInt8] = []
      text.write { new.append(contentsOf: $0) }
      return new
    }
  }
}

extension DocumentJobs.NewText {
  /// Creates a text that is already complete.
  init(_ new: [UInt8], of old: UnsafeBufferPointer<UInt8>) {
    self.init(
      isUnchanged: { new.count == old.count && new.elementsEqual(old) },
      write: { append in new.withUnsafeBufferPointer(append) }
    )
  }
}
