import TrackEngine

/// The earlier version of documents which rejecting all changes is to give.
enum EarlierVersion: Sendable {
  /// A file, with its marks.
  case file([UInt8])
  /// What a revision has in each folder.
  case revision([Path: GitRevision])

  /// Reads a file, or finds the files of a revision if there is no file of that name.
  ///
  /// - Parameters:
  ///   - name: The file or the revision.
  ///   - documents: The documents that have an earlier version there.
  /// - Throws: `Platform.Failure` if it is neither.
  init(_ name: Path, of documents: [Path]) throws(Platform.Failure) {
    if Platform.identity(of: name) != nil {
      self = .file(try Sidecar.markedContents(of: name))
      return
    }
    var revisions: [Path: GitRevision] = [:]
    do throws(Platform.Failure) {
      for folder in Set(documents.map(\.openFolder)) {
        revisions[folder] = try GitRevision(name, of: folder)
      }
    } catch {
      throw Platform.Failure(description: "\(name) is neither a file nor a revision: \(error)")
    }
    self = .revision(revisions)
  }

  /// A document, with its marks wherever they are; nil if it is not there.
  ///
  /// - Throws: `Platform.Failure` if it cannot be read.
  private func contents(of path: Path) throws(Platform.Failure) -> [UInt8]? {
    switch self {
    case .file(let bytes): bytes
    case .revision(let folders):
      try folders[path.openFolder]?.markedContents(of: path.name, at: path)
    }
  }

  /// Finds where rejecting all changes of a document does not give what this has.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - name: What this is called in messages.
  /// - Returns: What is found; nil if the document is not there.
  /// - Throws: `Platform.Failure` if one of both cannot be read.
  func findings(
    in document: DocumentReports.Document,
    _ name: Path
  ) throws(Platform.Failure) -> [SarifLog.Finding]? {
    let bytes = try document.contents()
    guard let earlier = try contents(of: document.path) else { return nil }
    var cursor = LineCursor(bytes)
    return OriginalDifference.all(in: bytes, since: earlier, as: Language(of: document.path)).map {
      difference in
      let start = cursor.place(of: difference.range.lowerBound)
      var ends = cursor
      return SarifLog.Finding(
        code: .original,
        message: difference.sentence(name),
        region: Region(from: start, to: ends.place(of: difference.range.upperBound))
      )
    }
  }
}

extension OriginalDifference {
  /// As in `rejecting gives “gray”, and HEAD has “grey”`.
  fileprivate func sentence(_ name: Path) -> String {
    if expected.isEmpty { return "rejecting gives \(quoted(found)), which \(name) does not have" }
    if found.isEmpty { return "rejecting loses \(quoted(expected)), which \(name) has" }
    return "rejecting gives \(quoted(found)), and \(name) has \(quoted(expected))"
  }
}
