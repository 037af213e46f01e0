import JSONRPC
import TrackEngine

/// Texts that the client renames or deletes, whose sidecars it may know nothing of.
///
/// A sidecar follows its text when that is open under its old name no more: Emacs tells of a rename, too, when it
/// makes a backup of a file that it is about to write.
extension Server {
  /// Notes what is going to be renamed.
  ///
  /// Some clients open a file under its new name before they tell that they have renamed it, and some never tell.
  ///
  /// - Returns: No edits, and not null: lsp-mode 9 then renames nothing.
  func willRenameFiles(_ params: RenameFilesParams) -> WorkspaceEdit {
    documents.expectRenames(params.paths)
    return WorkspaceEdit(documentChanges: [])
  }

  /// Has sidecars follow texts that have been renamed.
  func didRenameFiles(_ params: RenameFilesParams) {
    for (old, new) in params.paths {
      documents.noteRename(of: old, to: new)
      followRename(to: new)
    }
    filesChanged()
  }

  /// Has a sidecar follow its text to its new name, if the client has renamed that, or was going to.
  func followRename(to new: Path) {
    if let old = documents.takeOldPath(of: new) { baselines.want(.moveSidecar(from: old, to: new)) }
  }

  /// Has the sidecar of a text that is closed follow that, if the client has renamed it, or was going to.
  func followRename(of old: Path) {
    documents.newPaths(of: old).forEach(followRename(to:))
  }

  /// Handles that a sidecar has followed its text, or could not; a document that is open goes on with it.
  func receiveMoved(_ result: EffectOutcome.Result, from old: Path, to new: Path) {
    let key = DocumentKey.file(new)
    switch result {
    case .done:
      workspace.noteChange(of: new)
      // One that is looked for yet is found where it is now.
      guard let document = documents[key], document.record.isFound, document.record.written == nil
      else { return }
      document.record.reopen(with: document.text)
      baselines.want(.recall(key, document.text.hash))
    case .failure(let reason):
      log("\(key.uri): its record stays at \(old.sidecar): \(reason)", .error)
      show("\(old.sidecar.name) not moved; see the log.", .error)
    default: break
    }
  }

  /// Looks for what lies beside texts that have been deleted.
  func didDeleteFiles(_ params: DeleteFilesParams) {
    for path in params.files.compactMap({ DocumentKey(uri: $0.uri).path }) {
      baselines.want(.findOrphan(path))
    }
    filesChanged()
  }

  /// Handles whether a sidecar is left of a text that has been deleted: it is the writer's to delete, too.
  func receiveOrphan(_ result: EffectOutcome.Result, of path: Path) {
    guard case .done = result else { return }
    log("\(path.sidecar) has the marks of \(path.name), which is deleted.", .info)
    show("\(path.sidecar.name) is still there.", .info)
  }

  /// Has the folders listed again, since folders are renamed and deleted, too.
  private func filesChanged() {
    workspace.outdate()
    refreshes.addFiles()
  }
}

extension RenameFilesParams {
  /// The old and the new paths of those that are on this machine.
  fileprivate var paths: [(old: Path, new: Path)] {
    files.compactMap { file in
      guard let old = DocumentKey(uri: file.oldUri).path,
        let new = DocumentKey(uri: file.newUri).path
      else { return nil }
      return (old, new)
    }
  }
}
