import TrackEngine

extension Subcommand {
  /// How long `critic-lsp guard --watch` waits between two looks, in milliseconds.
  private static let pause = 500

  /// Watches files until interrupted, and tells of each in which something was proposed.
  ///
  /// - Parameters:
  ///   - arguments: The command line; its operands are the files and folders.
  ///   - author: Who is named on each change.
  /// - Throws: ``UsageFailure`` if there are none, `Platform.Failure` if nothing can be told.
  static func watchWrites(_ arguments: ParsedArguments, by author: AuthorName?) throws -> Never {
    guard !arguments.operands.isEmpty else {
      throw arguments.fail("Name the files and folders to watch.")
    }
    let places = try arguments.operands.map { path throws(UsageFailure) in
      guard let place = Platform.realPath(of: path) else {
        throw arguments.fail("There is no \(path).")
      }
      return place
    }
    Platform.tidyWhenEnded()
    var watched = WatchedFiles(in: places)
    if watched.isShort { Console.complain("not all Markdown files are watched; name fewer") }
    try Console.write("watching \(counted(watched.count, "file"))\n")
    while true {
      Platform.sleep(pause)
      var lines: [String] = []
      watched.look { file, moment in
        let (told, text) = settle(WrittenFile(old: file, moment: moment, author: author))
        if let told { lines.append("\(told)\n") }
        return text
      }
      if !lines.isEmpty { try Console.tell(Array(lines.joined().utf8)) }
    }
  }
}
