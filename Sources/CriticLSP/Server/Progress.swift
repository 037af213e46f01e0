import JSONRPC

/// Progress that we show without having been asked to.
struct Progress {
  /// Whether the client has room for it by now.
  var hasBegun = false
  let token: RequestID
}

extension Server {
  /// How long looking at the folders may take before the user is shown that it goes on, and how often
  /// it is shown, in milliseconds.
  private static let quietTime = 500
  private static let progressInterval = 200

  /// Shows how far the look at the folders is, wherever that is to be shown.
  func showProgress() {
    guard let scan = workspace.scan else { return }
    let tokens = waiting.compactMap(\.token)
    if tokens.isEmpty, progress == nil, client.showsProgress,
      now - scan.startedAt >= Server.quietTime
    {
      askForProgress()
    }
    guard now - lastProgress >= Server.progressInterval else { return }
    lastProgress = now
    for token in tokens + (progress.map { $0.hasBegun ? [$0.token] : [] } ?? []) {
      sendProgress(token, "report") {
        $0.member("cancellable", true)
        if scan.walk.next == nil {
          $0.member("message", "\(scan.next) of \(scan.files.count) files")
          $0.member("percentage", 100 * scan.next / max(1, scan.files.count))
        } else {
          $0.member("message", "\(scan.found?.count ?? 0) files found")
        }
      }
    }
  }

  private func askForProgress() {
    lastToken += 1
    let token = RequestID.string("critic-\(lastToken)")
    progress = Progress(token: token)
    send("window/workDoneProgress/create", for: .progress(token)) {
      $0.object { $0.member("token", token) }
    }
  }

  /// Takes the answer to our wish to show progress.
  func takeProgress(_ token: RequestID, isGranted: Bool) {
    guard isGranted, workspace.scan != nil, progress?.token == token else { return }
    progress?.hasBegun = true
    beginProgress(token)
  }

  func beginProgress(_ token: RequestID) {
    sendProgress(token, "begin") {
      $0.member("title", "Looking for changes")
      $0.member("cancellable", true)
      $0.member("percentage", 0)
    }
  }

  func endProgress(_ token: RequestID) {
    sendProgress(token, "end") { _ in }
  }

  /// Takes away what we show by ourselves, when there is nothing to show any more.
  func endProgressIfOver() {
    guard workspace.scan == nil, let progress else { return }
    self.progress = nil
    if progress.hasBegun { endProgress(progress.token) }
  }

  /// `window/workDoneProgress/cancel`: the user does not want to wait.
  func cancelProgress(_ params: JSON?) {
    guard let token = params?["token"].flatMap(RequestID.init) else { return }
    if progress?.token == token {
      cancel { $0.question.isAboutWorkspace }
    } else {
      cancel { $0.token == token }
    }
  }

  private func sendProgress(
    _ token: RequestID,
    _ kind: String,
    _ members: (inout JSONWriter) -> Void
  ) {
    send(
      .notification(method: "$/progress") {
        $0.object {
          $0.member("token", token)
          $0.member(
            "value",
            object: {
              $0.member("kind", kind)
              members(&$0)
            }
          )
        }
      }
    )
  }
}
