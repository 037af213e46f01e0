import TrackEngine

/// What is listed of a document; that of a long one is listed while it is written, and so never in memory as a whole.
struct DocumentList<Lister: DocumentLister>: Sendable {
  let path: Path
  /// Whether it is a sidecar whose text is not there.
  var isOrphan = false
  private let contents: Contents
  private let lister: Lister

  private enum Contents {
    /// What is listed of a short document.
    case entries([Lister.Entry])
    case bytes([UInt8])
    /// A document that is read while it is listed.
    case file(LongFile, TextSurvey)
  }

  /// In bytes: shorter ones are listed at once.
  private static var longestAtOnce: Int { 1 << 18 }
  /// In bytes: shorter ones are read as a whole.
  static var longestInMemory: Int { 1 << 22 }

  /// The list of a text.
  init(_ path: Path, _ bytes: [UInt8], _ lister: Lister) {
    self.path = path
    self.lister = lister
    guard bytes.count <= DocumentList.longestAtOnce else {
      contents = .bytes(bytes)
      return
    }
    var entries: [Lister.Entry] = []
    DocumentList.list(bytes, of: path, lister) { entries.append($0) }
    contents = .entries(entries)
  }

  /// The list of a long file, which is read once.
  init(_ path: Path, _ file: LongFile, _ lister: Lister) throws(Platform.Failure) {
    self.path = path
    self.lister = lister
    let survey = TextSurvey(
      count: file.count,
      language: Language(of: path),
      findsMalformed: lister.findsMalformed
    )
    contents = .file(file, try DocumentWalk.survey(survey, file.read))
    try file.expectUnchanged()
  }

  /// Calls `body` with each entry.
  ///
  /// - Throws: `Platform.Failure` if a long file cannot be read again, or was changed; then entries are missing.
  func each(_ body: (Lister.Entry) -> Void) throws(Platform.Failure) {
    switch contents {
    case .entries(let entries): for entry in entries { body(entry) }
    case .bytes(let bytes): DocumentList.list(bytes, of: path, lister, body)
    case .file(let file, let survey):
      var lister = lister
      let walk = DocumentWalk(survey, needsPlaces: lister.needsPlaces, file.read)
      try walk.each(isSilent: !lister.findsMalformed) { lister.list($0, body) }
      try file.expectUnchanged()
    }
  }

  private static func list(
    _ bytes: [UInt8],
    of path: Path,
    _ lister: Lister,
    _ body: (Lister.Entry) -> Void
  ) {
    var lister = lister
    let reading = Reading(of: bytes, as: Language(of: path))
    lister.list(DocumentPart(bytes, reading, hasPlaces: lister.needsPlaces), body)
  }
}
