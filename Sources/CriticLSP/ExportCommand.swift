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
  }

  static func run(_ arguments: [String]) throws -> Int32 {
    let request = try parse(arguments)
    var code: Int32 = 0
    let jobs = try jobs(of: request)
    // Files can be written side by side; what goes to standard output can't.
    let workers = jobs.contains { $0.target == nil } ? 1 : Platform.processors
    let complaints = Platform.map(0..<jobs.count, onThreads: workers) { index -> String? in
      do throws(Platform.Failure) {
        try export(jobs[index], request.variant ?? .clean)
        return nil
      } catch {
        return error.description
      }
    }
    // One bad file keeps nobody else's text back.
    for complaint in complaints.compactMap({ $0 }) {
      Console.complain(complaint)
      code = 2
    }
    return code
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

  private static func jobs(of request: Request) throws -> [Job] {
    let isSeveral = request.paths.count > 1 || request.paths.contains(where: Platform.isFolder)
    let folder = request.output.flatMap { isSeveral || Platform.isFolder($0) ? $0 : nil }
    if let folder, isSeveral, !Platform.isFolder(folder) {
      throw UsageFailure(
        "\(folder) is no folder, and there is more than one file to write; make it first.",
        on: "export"
      )
    }
    let jobs = try request.paths.flatMap { path -> [Job] in
      let isFolder = Platform.isFolder(path)
      let files = isFolder ? try Platform.markdownFiles(in: path) : [path]
      if files.isEmpty {
        throw Platform.Failure(description: "\(path) holds no .md and no .markdown file")
      }
      return files.map { file in
        var target = request.isInPlace ? file : request.output
        if let folder {
          let name = isFolder ? String(file.dropFirst(path.count)) : lastPart(file)
          target = "\(folder)/\(name.drop { $0 == "/" })"
        }
        return Job(source: file, target: target)
      }
    }
    var sources: [String: String] = [:]
    for job in jobs {
      guard let target = job.target else { continue }
      if let other = sources.updateValue(job.source, forKey: target) {
        throw UsageFailure("\(other) and \(job.source) would both go to \(target).", on: "export")
      }
    }
    return jobs
  }

  private static func lastPart(_ path: String) -> String {
    path == "-" ? "stdin.md" : path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func export(_ job: Job, _ variant: Variant) throws(Platform.Failure) {
    try Platform.withContents(of: job.source) { (bytes) throws(Platform.Failure) in
      guard let target = job.target else {
        return try Platform.withOutput(to: 1) { output in
          variant.stream(bytes) { output.append($0) }
        }
      }
      if target == job.source, isUnchanged(bytes, by: variant) { return }
      // Only what takes the place of the one copy must be on the disk before that is gone.
      try Platform.replace(target, isSafe: target == job.source) { output in
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
