import JSONRPC

// MARK: - The scan

extension Server {
  /// Has the folders scanned, unless what is known of them is fresh or a scan is in progress.
  func refreshWorkspace() {
    guard workspace.isOutdated(at: now) else { return }
    watchFiles()
    beginScan()
  }

  private func beginScan() {
    workspace.beginScan(at: now, without: isOpen)
    finishScan()
  }

  /// Begins again if a scan is in progress.
  private func restartScan() {
    workspace.outdate()
    if workspace.scan != nil { beginScan() }
  }

  private func isOpen(_ path: Path) -> Bool { documents[.file(path)] != nil }

  /// Handles what the scan has found out: what git ignores, what is in a folder, or the text of a file.
  func receiveFound(_ outcome: EffectOutcome) {
    switch outcome.effect {
    case .findIgnored: workspace.receiveIgnored(outcome.result)
    case .list:
      let sentences = workspace.receiveListing(outcome.result, without: isOpen)
      for sentence in sentences { logOnce(sentence) }
    default:
      let folder = workspace.scan?.file.flatMap { workspace.folder(of: $0) }
      workspace.receiveFile(outcome.result, client, settings[folder], revisions)
    }
    showProgress()
    finishScan()
  }

  /// Continues work that was too long for one turn.
  func doMore() {
    if isSearching {
      searchOn()
    } else {
      workspace.digestFile(revisions)
      finishScan()
    }
  }

  /// Lets those know who wait for the scan, if it is over.
  private func finishScan() {
    guard let scan = workspace.endScan(at: now) else { return }
    logFailures(scan.failures)
    let took = now - scan.startedAt
    if took >= 1000 {
      log("Scanning \(scan.files.count) Markdown files took \(took) ms.", .info)
    }
    searchOn()
  }

  private func logFailures(_ failures: [String]) {
    let new = failures.filter(isNew)
    guard let first = new.first else { return }
    let others = new.count > 1 ? " (and \(new.count - 1) more)" : ""
    log("Skipped: \(first)\(others)", .warning)
  }

  /// Stops the scan if no request waits for it.
  func stopScanIfUnwanted() {
    if !waiting.all.contains(where: \.question.isAboutWorkspace) { workspace.stopScan() }
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
    foldersChanged()
    restartScan()
    refreshes.addFiles()
  }

  /// Forgets what was read under other settings.
  func forgetFiles() {
    workspace.forgetFiles()
    restartScan()
    refreshes.addFiles()
  }

  /// Registers for changes of Markdown files, the first time that their contents are needed.
  private func watchFiles() {
    guard client.watchesFiles, workspace.asksForWatching() else { return }
    let watchers = Markdown.globs.map { FileSystemWatcher(globPattern: $0) }
    register(
      "workspace/didChangeWatchedFiles",
      for: .watching,
      DidChangeWatchedFilesRegistrationOptions(watchers: watchers)
    )
  }

  func didChangeWatchedFiles(_ params: DidChangeWatchedFilesParams) {
    for change in params.changes {
      guard let path = DocumentKey(uri: change.uri).path else { continue }
      workspace.noteChange(
        of: path,
        isNew: change.type == .created,
        isDeleted: change.type == .deleted
      )
      if change.type == .created { followRename(to: path) }
    }
    refreshes.addFiles()
  }
}
