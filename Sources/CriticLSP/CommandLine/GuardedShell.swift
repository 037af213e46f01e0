import TrackEngine

/// `critic-lsp guard` before and after a call of a shell.
extension Subcommand {
  /// Keeps the files that a shell may write.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - places: The files and folders that are guarded; nil for all.
  /// - Returns: The exit code, which is not to keep the shell from being called.
  static func keepFiles(_ call: ShellCall, _ places: [Path]?) -> Int32 {
    let here = Platform.realPath(of: call.folder ?? ".").map(repository)
    let files = KeptFiles(FoundFiles(in: places ?? here.map { [$0] } ?? []))
    do throws(Platform.Failure) {
      guard let folder = KeptFolder() else {
        throw Platform.Failure(description: "there is no home folder")
      }
      try folder.keep(files, for: call.id)
    } catch {
      Console.complain("what the shell writes is not guarded: \(error.description)")
      return 1
    }
    guard files.isShort else { return 0 }
    Console.complain("not all Markdown files are guarded; name the drafts: critic-lsp guard PATH")
    return 1
  }

  /// Makes proposals of what a shell has written, and tells the agent.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - author: Who is named on each change.
  /// - Returns: The exit code.
  /// - Throws: `Platform.Failure` if what was kept cannot be read, or nothing can be told.
  static func proposeWhatWasWritten(
    _ call: ShellCall,
    by author: AuthorName?
  ) throws(Platform.Failure) -> Int32 {
    guard let kept = try KeptFolder()?.take(call.id) else { return 0 }
    let told = kept.files.compactMap { file in
      settle(WrittenFile(old: file, moment: kept.moment, author: author)).told
    }
    guard !told.isEmpty else { return 0 }
    try answerHook(call.event, ["additionalContext": told.joined(separator: "\n")])
    return 0
  }

  /// Makes proposals of what was written into a file.
  ///
  /// - Parameter file: The file.
  /// - Returns: What is told of it, nil if that is nothing; and what it has then, nil if that is not known.
  static func settle(_ file: WrittenFile) -> (told: String?, text: [UInt8]?) {
    let path = file.old.path
    do throws(Platform.Failure) {
      let (outcome, text) = try file.settle()
      switch outcome {
      case .untouched, .saved: return (nil, text)
      case .gone: return ("\(path): this was removed, with all that was proposed in it.", nil)
      case .proposed(let isInEditor, let left):
        let written = "\(path): what was written there"
        return (told(written, isInEditor: isInEditor, left: left), text)
      }
    } catch {
      return ("\(error.description); what was written there has no marks.", nil)
    }
  }

  /// The repository that a folder is in; the folder if it is in none.
  private static func repository(_ folder: Path) -> Path {
    var place = folder
    while Platform.isGone(place / ".git") {
      let above = place.folder.withoutSlash
      if above == place || above.bytes.isEmpty { return folder }
      place = above
    }
    return place
  }
}
