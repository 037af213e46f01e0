import JSONRPC
import TrackEngine

// MARK: - Scanning the folders

extension Server {
  /// Starts a scan of the folders, unless the last one is fresh or one is in progress.
  func refreshWorkspace() {
    guard workspace.scan == nil, !workspace.isFresh(at: now) else { return }
    watchFiles()
    startScan()
  }

  private func startScan() {
    var scan = Workspace.Scan(startedAt: now)
    if workspace.listedAt.map({ now - $0 < workspace.freshness }) ?? false {
      scan.files = workspace.stale.sorted().filter { !isOpen($0) }.map { ($0, nil) }
    } else {
      for path in workspace.stale { workspace.files[path]?.stamp = nil }
      scan.found = []
      scan.walk = FolderWalk(workspace.folders.map(\.path))
    }
    workspace.stale = []
    workspace.scan = scan
    finishScan()
  }

  /// Begins again if a scan is in progress.
  func restartScan() {
    workspace.listedAt = nil
    if workspace.scan != nil { startScan() }
  }

  /// Forgets what was read under other settings.
  func forgetFiles() {
    workspace.files = [:]
    restartScan()
    workspaceChanged()
  }

  private func isOpen(_ path: Path) -> Bool { documents[.file(path)] != nil }

  /// Handles the listing of a folder.
  func receiveListing(_ result: EffectOutcome.Result) {
    guard var scan = workspace.scan, let folder = scan.walk.next else { return }
    var folders: [Path] = []
    switch result {
    case .listing(let found):
      let listing = workspace.take(found, of: folder)
      folders = listing.folders.map { folder / $0 }
      for file in listing.files { note(folder / file.name, file.stamp, in: &scan) }
    case .failure(let reason): scan.failures.append("\(folder): \(reason)")
    default: break
    }
    scan.walk.goOn(into: folders)
    if scan.walk.count > Workspace.maxFolders {
      scan.walk.stop()
      logOnce("Only \(Workspace.maxFolders) folders of the workspace are scanned.")
    }
    workspace.scan = scan
    showProgress()
    finishScan()
  }

  private func note(_ path: Path, _ stamp: FileStamp, in scan: inout Workspace.Scan) {
    guard scan.found?.count ?? 0 < Workspace.maxFiles else {
      return logOnce("Only \(Workspace.maxFiles) Markdown files of the workspace are scanned.")
    }
    guard scan.found?.insert(path).inserted == true, !isOpen(path),
      workspace.files[path]?.stamp != stamp
    else { return }
    scan.files.append((path, stamp))
  }

  /// Handles the text of a file.
  func receiveFile(_ result: EffectOutcome.Result) {
    guard let scan = workspace.scan, scan.next < scan.files.count else { return }
    let (path, stamp) = scan.files[scan.next]
    workspace.scan?.next += 1
    switch result {
    case .text(let text): read(text, of: path, stamp)
    case .failure(let reason):
      workspace.files[path] = WorkspaceFile(stamp: stamp, revision: revisions.next())
      workspace.scan?.failures.append("\(path): \(reason)")
    default: workspace.files[path] = nil
    }
    showProgress()
    finishScan()
  }

  private func read(_ text: [UInt8], of path: Path, _ stamp: FileStamp?) {
    // Without braces there is nothing to list; most files end here.
    guard text.contains(UInt8(ascii: "{")) || text.contains(UInt8(ascii: "}")) else {
      return keep(WorkspaceFile(stamp: stamp), of: path)
    }
    let tracker = Tracker(Text(text), isTracking: false)
    let document = Document(
      uri: workspace.uri(of: path),
      version: 0,
      tracker: tracker,
      revisions: revisions
    )
    workspace.scan?.digest = FileDigest(snapshot(of: document), path: path, stamp: stamp)
    if text.count <= FileDigest.shortText {
      while workspace.scan?.digest != nil { digestFile() }
    }
  }

  /// Does one more step of the extraction of the changes.
  private func digestFile() {
    guard var digest = workspace.scan?.digest else { return }
    let isMore = digest.step { entries, digest in
      guard client.pullsDiagnostics else { return nil }
      var writer = JSONWriter()
      ChangeDiagnostics(of: entries, in: digest.snapshot).write(to: &writer)
      return writer.bytes
    }
    workspace.scan?.digest = isMore ? digest : nil
    if !isMore { keep(digest.file, of: digest.path) }
  }

  private func keep(_ file: WorkspaceFile, of path: Path) {
    let old = workspace.files[path]
    workspace.files[path] = file
    workspace.files[path]?.revision =
      old?.diagnostics == file.diagnostics ? old?.revision ?? 0 : revisions.next()
  }

  /// Continues work that was too long for one turn.
  func goOn() {
    if workspace.scan != nil {
      digestFile()
      finishScan()
    } else if let index = waiting.firstIndex(where: { !$0.question.isReady }) {
      search(index)
    }
  }

  /// Ends the scan if there is nothing left to read.
  private func finishScan() {
    guard let scan = workspace.scan, scan.effect == nil else { return }
    workspace.scan = nil
    if let found = scan.found {
      workspace.files = workspace.files.filter { found.contains($0.key) }
      workspace.listedAt = now
    }
    logFailures(scan.failures)
    let took = now - scan.startedAt
    if took >= 1000 {
      log("Scanning \(scan.files.count) Markdown files took \(took) ms.", .info)
    }
    for index in waiting.indices { search(index) }
  }

  private func logFailures(_ failures: [String]) {
    let new = failures.filter { reportedProblems.insert($0).inserted }
    guard let first = new.first else { return }
    let others = new.count > 1 ? " (and \(new.count - 1) more)" : ""
    log("Skipped: \(first)\(others)", .warning)
  }

  /// Stops the scan if no request waits for it.
  func stopScanIfUnwanted() {
    guard let scan = workspace.scan, !waiting.contains(where: \.question.isAboutWorkspace) else {
      return
    }
    // A scan that lists the folders will find these files again.
    if scan.found == nil {
      workspace.stale.formUnion(scan.files[scan.next...].map(\.path))
      if let digest = scan.digest { workspace.stale.insert(digest.path) }
    }
    workspace.scan = nil
  }
}

// MARK: - What changes

extension Server {
  /// Adds the folders from `initialize`, in whichever of LSP's three forms they are given.
  func openFolders(_ params: InitializeParams) {
    if !params.workspaceFolders.isEmpty {
      for folder in params.workspaceFolders { addFolder(folder.uri) }
    } else if let uri = params.rootUri {
      addFolder(uri)
    } else if let path = params.rootPath.flatMap({ Path($0.utf8) }), path.isAbsolute {
      addFolder(DocumentKey.file(path).uri)
    }
  }

  private func addFolder(_ uri: String) {
    guard let folder = Workspace.Folder(uri: uri) else {
      return logOnce("The workspace folder \(uri) is not on this machine and is ignored.")
    }
    workspace.add(folder)
  }

  func didChangeWorkspaceFolders(_ params: DidChangeWorkspaceFoldersParams) {
    for folder in params.event.removed {
      if let folder = Workspace.Folder(uri: folder.uri) { workspace.remove(folder) }
    }
    for folder in params.event.added { addFolder(folder.uri) }
    restartScan()
    workspaceChanged()
  }

  /// Registers for changes of Markdown files, the first time that their contents are needed.
  private func watchFiles() {
    guard client.watchesFiles, !workspace.isWatchingAskedFor else { return }
    workspace.isWatchingAskedFor = true
    let watchers = Markdown.globs.map { FileSystemWatcher(globPattern: $0) }
    register(
      "workspace/didChangeWatchedFiles",
      for: .watching,
      DidChangeWatchedFilesRegistrationOptions(watchers: watchers)
    )
  }

  func didChangeWatchedFiles(_ params: DidChangeWatchedFilesParams) {
    for change in params.changes {
      guard let path = DocumentKey(uri: change.uri).path, workspace.looksAt(path) else { continue }
      if change.type == .deleted {
        workspace.files[path] = nil
        workspace.stale.remove(path)
      } else {
        workspace.stale.insert(path)
      }
    }
    workspaceChanged()
  }

  /// Notes that a file was closed, so that what is on the disk counts again.
  func fileWasClosed(_ key: DocumentKey) {
    guard let path = key.path, workspace.looksAt(path) else { return }
    workspace.stale.insert(path)
  }

  private func workspaceChanged() {
    if isAskedAboutWorkspace { refreshes.insert(.diagnostics) }
  }
}
