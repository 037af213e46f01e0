import TrackEngine

/// The Markdown files in the workspace folders, as far as they have been scanned.
///
/// It decides when and what to scan; the server has the effects carried out that the scan wants, and passes on the
/// outcomes. Invariant: of a file that is not open only the changes are kept; the text is held for one file at a
/// time, while its changes are extracted.
struct Workspace {
  struct Folder: Equatable {
    /// As the client spells it, without a trailing slash.
    let uri: String
    /// Without a trailing slash, except the root.
    let path: Path
  }

  private(set) var folders: [Folder] = []
  /// By path.
  private(set) var files: [Path: WorkspaceFile] = [:]
  /// The scan in progress.
  private(set) var scan: Scan?
  /// What git ignored in the workspace folders when they were last listed.
  private var ignored: [Path: IgnoredPaths] = [:]
  /// When the folders were last listed, in milliseconds.
  private var listedAt: Int?
  /// Paths of files that may have changed since they were read.
  private var stale: Set<Path> = []
  private var watching = Watching.unasked

  /// Whether the client reports changed files.
  private enum Watching {
    case unasked
    case asked
    case granted
  }

  /// Further files and folders are ignored.
  static let maxFiles = 20_000
  static let maxFolders = 100_000

  // MARK: - The scan

  /// How long a scan of the folders stays valid, in milliseconds; limited even if the client watches files,
  /// because it may miss some.
  private var freshness: Int { watching == .granted ? 30_000 : 2000 }

  /// Whether the folders were listed a short time ago.
  private func isListed(at now: Int) -> Bool { listedAt.map { now - $0 < freshness } ?? false }

  /// Whether a scan has to begin before somebody asks about the files.
  func isOutdated(at now: Int) -> Bool {
    scan == nil && !folders.isEmpty && !(stale.isEmpty && isListed(at: now))
  }

  /// Begins a scan: of the folders, or if these are known, of the files that may have changed; open ones are not read.
  mutating func beginScan(at now: Int, without isOpen: (Path) -> Bool) {
    if isListed(at: now) {
      scan = Scan(rereading: stale.sorted().filter { !isOpen($0) }, at: now)
    } else {
      for path in stale { files[path]?.listed = nil }
      scan = Scan(of: folders.map(\.path), at: now)
    }
    stale = []
  }

  /// Takes what git ignores in the workspace folder that the scan asks about.
  mutating func receiveIgnored(_ result: EffectOutcome.Result) {
    guard let folder = scan?.nextAsked() else { return }
    if case .ignored(let paths) = result { ignored[folder] = paths }
  }

  /// Takes the listing of the folder that the scan wants.
  ///
  /// - Returns: Sentences about what is left out.
  mutating func receiveListing(
    _ result: EffectOutcome.Result,
    without isOpen: (Path) -> Bool
  ) -> [String] {
    guard let folder = scan?.walk.next else { return [] }
    var inner: [Path] = []
    var isFull = false
    switch result {
    case .listing(let found):
      let listing = take(found, of: folder)
      inner = listing.folders.map { folder / $0 }
      for file in listing.files {
        let path = folder / file.name
        let isKnown = isOpen(path) || files[path]?.listed == file
        if scan?.add(path, file, isKnown: isKnown) == false { isFull = true }
      }
    case .failure(let reason): scan?.fail(folder, reason)
    default: break
    }
    let isWalked = scan?.advance(into: inner) == true
    return
      (isFull ? ["Only \(Workspace.maxFiles) Markdown files of the workspace are scanned."] : [])
      + (isWalked ? [] : ["Only \(Workspace.maxFolders) folders of the workspace are scanned."])
  }

  /// Takes the text of the file that the scan wants; a long one is digested later.
  mutating func receiveFile(
    _ result: EffectOutcome.Result,
    _ client: Client,
    _ settings: Settings,
    _ revisions: Counter
  ) {
    guard let (path, listed) = scan?.nextFile() else { return }
    switch result {
    case .text(let text, let sidecar):
      if case .unreadable(let reason)? = sidecar { scan?.fail(path.sidecar, reason) }
      // Without braces there is nothing to list; most files end here.
      guard sidecar != nil || text.contains(UInt8(ascii: "{")) || text.contains(UInt8(ascii: "}"))
      else {
        return keep(WorkspaceFile(listed: listed), of: path, revisions)
      }
      let document = closedDocument(path, text, sidecar, settings, revisions)
      let snapshot = Snapshot(of: document, client)
      scan?.digest = FileDigest(
        snapshot,
        path: path,
        listed: listed,
        isListed: client.pullsDiagnostics
      )
      if snapshot.text.count <= HeadedBlocks.shortText {
        while scan?.digest != nil { digestFile(revisions) }
      }
    case .failure(let reason):
      files[path] = WorkspaceFile(listed: listed, revision: revisions.next())
      scan?.fail(path, reason)
    default: files[path] = nil
    }
  }

  /// A file as it would be open: with the marks of its sidecar, and where the client shows it clean without its own.
  private mutating func closedDocument(
    _ path: Path,
    _ text: [UInt8],
    _ sidecar: SidecarFile?,
    _ settings: Settings,
    _ revisions: Counter
  ) -> Document {
    let options = settings.trackerOptions(Language(of: path), on: nil)
    let shown = Text(text)
    let document = Document(
      uri: uri(of: path),
      version: 0,
      tracker: Tracker(shown, isTracking: false, options: options),
      settings: settings,
      revisions: revisions
    )
    switch SidecarReading(of: shown, sidecar?.bytes, options) {
    case .beside(let projection):
      document.keepMarks(in: ProjectedText(projection, in: .beside), at: 0)
    case .inline where settings.marks == .file && sidecar == nil:
      let projection = Projection(record: shown, options: options)
      document.keepMarks(in: ProjectedText(projection, in: .file), at: 0)
    case .inline: break
    case .refused(let refusal): scan?.fail(path.sidecar, "It \(refusal.reason)")
    }
    return document
  }

  /// Does one more step of the extraction of the changes from the file last read.
  mutating func digestFile(_ revisions: Counter) {
    guard scan?.digest?.step() == false, let digest = scan?.digest else { return }
    scan?.digest = nil
    keep(digest.file, of: digest.path, revisions)
  }

  private mutating func keep(_ file: WorkspaceFile, of path: Path, _ revisions: Counter) {
    let old = files[path]
    files[path] = file
    files[path]?.revision =
      old?.diagnostics == file.diagnostics ? old?.revision ?? 0 : revisions.next()
  }

  /// Ends the scan if there is nothing left to read; returns it then.
  mutating func endScan(at now: Int) -> Scan? {
    guard let ended = scan, ended.effect == nil else { return nil }
    scan = nil
    if let found = ended.found {
      files = files.filter { found.contains($0.key) }
      listedAt = now
    }
    return ended
  }

  /// Stops the scan, which nobody waits for.
  mutating func stopScan() {
    // A scan that lists the folders will find these files again.
    if let scan, scan.found == nil { stale.formUnion(scan.unread) }
    scan = nil
  }

  // MARK: - What changes

  /// Adds a folder, unless it is already there.
  mutating func add(_ folder: Folder) {
    guard !folders.contains(where: { $0.path == folder.path }) else { return }
    folders.append(folder)
    listedAt = nil
  }

  /// Removes a folder and its files, except those that are in another folder too.
  mutating func remove(_ folder: Folder) {
    folders.removeAll { $0.path == folder.path }
    ignored[folder.path] = nil
    let folders = folders
    files = files.filter { path, _ in folders.contains { $0.holds(path) } }
  }

  /// Notes that the folders have to be listed again.
  mutating func outdate() { listedAt = nil }

  /// Forgets what was read under other settings.
  mutating func forgetFiles() { files = [:] }

  /// Notes that a file may have changed, or come or gone, if the workspace has it.
  mutating func noteChange(of path: Path, isNew: Bool = false, isDeleted: Bool = false) {
    if let file = path.sidecarText { return noteChange(of: file) }
    guard looksAt(path) else { return }
    if isDeleted {
      files[path] = nil
      stale.remove(path)
    } else if isNew, files[path] == nil {
      // Whether git ignores a new file is asked with the next listing.
      listedAt = nil
    } else {
      stale.insert(path)
    }
  }

  /// Whether the client is to be asked to report changed files, which happens once.
  mutating func asksForWatching() -> Bool {
    guard watching == .unasked else { return false }
    watching = .asked
    return true
  }

  /// Notes whether the client reports changed files.
  mutating func noteWatching(isGranted: Bool) { watching = isGranted ? .granted : .asked }

  // MARK: - What is in it

  /// The innermost folder that holds a path.
  func folder(of path: Path) -> Folder? {
    folders.filter { $0.holds(path) }.max { $0.path.bytes.count < $1.path.bytes.count }
  }

  /// Whether a path is in the workspace, passes the rules of ``Markdown``, and was not ignored when it was scanned.
  func looksAt(_ path: Path) -> Bool {
    guard let folder = folder(of: path)?.path, ignored[folder]?.holds(path, in: folder) != true
    else { return false }
    return folders.contains { path.from($0.path).map { Markdown.isLookedAt(path: $0) } ?? false }
  }

  /// Leaves out of a listing what git ignores.
  private func take(_ listing: Listing, of folder: Path) -> Listing {
    guard let top = self.folder(of: folder / "x")?.path, let ignored = ignored[top],
      !ignored.paths.isEmpty
    else { return listing }
    let start = folder.from(top)
    func isIgnored(_ name: Path, isFolder: Bool) -> Bool {
      ignored.contains(start.map { $0 / name } ?? name, isFolder: isFolder)
    }
    var listing = listing
    listing.folders.removeAll { isIgnored($0, isFolder: true) }
    listing.files.removeAll { isIgnored($0.name, isFolder: false) }
    return listing
  }

  /// The URI of a file; begins with the URI of its folder as the client spells it.
  func uri(of path: Path) -> String {
    guard let folder = folder(of: path), let name = path.from(folder.path) else {
      return DocumentKey.file(path).uri
    }
    return "\(folder.uri)/\(PercentEncoding.encoded(name.bytes))"
  }

  /// The name of a file for users: the path relative to its folder, after the folder's name if there are
  /// several.
  func name(of path: Path) -> String {
    guard let folder = folder(of: path), let name = path.from(folder.path) else {
      return path.name.description
    }
    let isAlone = folders.count == 1 || folder.path == "/"
    return (isAlone ? name : folder.path.name / name).description
  }
}

extension Workspace.Folder {
  /// A folder by its URI; nil if it is not in the file system.
  init?(uri: String) {
    guard let path = DocumentKey(uri: uri).path else { return nil }
    self.uri = uri.hasSuffix("/") ? String(uri.dropLast()) : uri
    self.path = path.withoutSlash
  }

  func holds(_ path: Path) -> Bool { path.from(self.path) != nil }

  /// The URI as what settings are asked for.
  var scopeUri: String { path == "/" ? "\(uri)/" : uri }
}
