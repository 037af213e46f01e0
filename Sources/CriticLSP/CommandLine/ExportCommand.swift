import TrackEngine

/// `critic-lsp export`: takes a variant of the text out of documents.
enum ExportCommand {
  private struct Request {
    var variant: Variant?
    var output: String?
    var isInPlace = false
    var paths: [String] = []
  }

  /// A document to read and where its variant goes; nil is standard output.
  private struct Job {
    var source: String
    var target: String?
    /// Whether the variant takes the place of the document itself.
    var isInPlace = false
  }

  static func run(_ arguments: [String]) throws -> Int32 {
    let request = try parse(arguments)
    let sources = try sources(of: request)
    let jobs = try jobs(of: request, sources.files)
    let variant = request.variant ?? .clean
    // Files can be written side by side; what goes to standard output can't.
    let failures =
      jobs.contains { $0.target == nil }
      ? try failuresInOrder(of: jobs, variant)
      : Platform.map(0..<jobs.count, onThreads: Platform.processors) {
        failure(of: jobs[$0], variant)
      }
    // One bad file or folder keeps nobody else's text back.
    let all = sources.failures + failures.compactMap { $0?.description }
    for complaint in all { Console.complain(complaint) }
    return all.isEmpty ? 0 : 2
  }

  private static func parse(_ arguments: [String]) throws -> Request {
    var request = Request()
    var rest = arguments[...]
    var isOptions = true
    while let argument = rest.popFirst() {
      guard isOptions, argument.hasPrefix("-"), argument != "-" else {
        request.paths.append(argument)
        continue
      }
      switch argument {
      case "--": isOptions = false
      case "--clean", "--original", "--markup":
        let variant = Variant(rawValue: String(argument.dropFirst(2)))
        guard request.variant == nil || request.variant == variant else {
          throw UsageFailure("Only one of --clean, --original and --markup.", on: "export")
        }
        request.variant = variant
      case "-o", "--output":
        guard let path = rest.popFirst() else {
          throw UsageFailure("\(argument) wants the name of a file or folder.", on: "export")
        }
        request.output = path
      case "--in-place": request.isInPlace = true
      default: throw UsageFailure("export does not know \"\(argument)\".", on: "export")
      }
    }
    if request.paths.isEmpty {
      throw UsageFailure(
        "export wants a file, a folder, or \"-\" for standard input.",
        on: "export"
      )
    }
    if request.isInPlace, request.output != nil {
      throw UsageFailure("Either -o or --in-place, not both.", on: "export")
    }
    if request.isInPlace, request.paths.contains("-") {
      throw UsageFailure("Standard input cannot be replaced in place.", on: "export")
    }
    return request
  }

  private static func sources(
    of request: Request
  ) throws -> (files: [MarkdownTree.File], failures: [String]) {
    var files: [MarkdownTree.File] = []
    var failures: [String] = []
    for path in request.paths {
      guard Platform.isFolder(path) else {
        files.append(MarkdownTree.File(path: path, name: lastPart(path)))
        continue
      }
      let tree = MarkdownTree(in: path)
      failures += tree.failures.map { "cannot read \($0)" }
      if tree.files.isEmpty, tree.failures.isEmpty {
        throw Platform.Failure(
          description: "\(path) holds no Markdown file (\(Markdown.dottedExtensions))"
        )
      }
      files += tree.files
    }
    return (files, failures)
  }

  private static func jobs(of request: Request, _ sources: [MarkdownTree.File]) throws -> [Job] {
    let isSeveral = request.paths.count > 1 || request.paths.contains(where: Platform.isFolder)
    let folder = request.output.flatMap { isSeveral || Platform.isFolder($0) ? $0 : nil }
    if let folder, isSeveral, !Platform.isFolder(folder) {
      throw UsageFailure(
        "\(folder) is no folder, and there is more than one file to write; make it first.",
        on: "export"
      )
    }
    var writers: [FileIdentity: String] = [:]
    return try sources.compactMap { source in
      var job = Job(source: source.path, target: request.isInPlace ? source.path : request.output)
      if let folder { job.target = "\(folder)/\(source.name)" }
      guard let target = job.target else { return job }
      let identity = Platform.identity(of: target)
      let other = writers.updateValue(source.path, forKey: identity ?? .name(target))
      // A file that is named twice is replaced once.
      if other != nil, request.isInPlace { return nil }
      if let other {
        throw UsageFailure(
          "\(other) and \(source.path) would both go to \(target).",
          on: "export"
        )
      }
      job.isInPlace =
        request.isInPlace || identity != nil && identity == Platform.identity(of: source.path)
      return job
    }
  }

  private static func lastPart(_ path: String) -> String {
    path == "-" ? "stdin.md" : path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Does jobs one after the other, until the reader of standard output has gone.
  private static func failuresInOrder(
    of jobs: [Job],
    _ variant: Variant
  ) throws(Platform.Failure) -> [Platform.Failure?] {
    var failures: [Platform.Failure?] = []
    for job in jobs {
      let failure = failure(of: job, variant)
      if let failure, failure.isReaderGone { throw failure }
      failures.append(failure)
    }
    return failures
  }

  /// Does a job; returns why it could not be done, if it could not.
  private static func failure(of job: Job, _ variant: Variant) -> Platform.Failure? {
    do throws(Platform.Failure) {
      try export(job, variant)
      return nil
    } catch {
      return error
    }
  }

  private static func export(_ job: Job, _ variant: Variant) throws(Platform.Failure) {
    if job.isInPlace, Platform.isOtherThanFile(job.source) {
      throw Platform.Failure(description: "\(job.source) is no file that could be replaced")
    }
    try Platform.withContents(of: job.source) { (bytes) throws(Platform.Failure) in
      guard let target = job.target else {
        return try Platform.withOutput(to: 1) { output in
          variant.stream(bytes) { output.append($0) }
        }
      }
      if job.isInPlace, isUnchanged(bytes, by: variant) { return }
      // Only what takes the place of the one copy must be on the disk before that is gone.
      try Platform.replace(target, isSafe: job.isInPlace) { output in
        variant.stream(bytes) { output.append($0) }
      }
    }
  }

  private static func isUnchanged(
    _ bytes: UnsafeBufferPointer<UInt8>,
    by variant: Variant
  ) -> Bool {
    var count = 0
    // A variant leaves things out and changes nothing.
    variant.stream(bytes) { count += $0.count }
    return count == bytes.count
  }
}
