import JSONRPC

/// Shows how far the look at the folders is, where a request asked for that, and by itself where it
/// takes long.
struct ProgressReporter {
  /// What is to be sent.
  enum Step {
    /// The client is to make room.
    case create(RequestID)
    case tell(RequestID, WorkDoneProgress)
  }

  /// What we show without having been asked to.
  private struct Own {
    /// Whether the client has room for it by now.
    var hasBegun = false
    let token: RequestID
  }

  private var own: Own?
  private var lastToken = 0
  /// When something was last shown, in milliseconds.
  private var lastReport = 0

  /// How long looking at the folders may take before the user is shown that it goes on, and how often
  /// it is shown, in milliseconds.
  private static let quietTime = 500
  private static let interval = 200

  static let beginning = WorkDoneProgress.begin(title: "Looking for changes", percentage: 0)

  /// Says how far a look at the folders is.
  ///
  /// - Parameters:
  ///   - scan: The look.
  ///   - tokens: Where requests want it shown.
  ///   - isAnnounced: Whether the client shows progress that it did not ask for.
  ///   - now: In milliseconds.
  /// - Returns: What is to be sent.
  mutating func report(
    _ scan: Workspace.Scan,
    to tokens: [RequestID],
    isAnnounced: Bool,
    at now: Int
  ) -> [Step] {
    var steps: [Step] = []
    if tokens.isEmpty, own == nil, isAnnounced, now - scan.startedAt >= ProgressReporter.quietTime {
      lastToken += 1
      let token = RequestID.string("critic-\(lastToken)")
      own = Own(token: token)
      steps.append(.create(token))
    }
    guard now - lastReport >= ProgressReporter.interval else { return steps }
    lastReport = now
    let shown = tokens + (own.map { $0.hasBegun ? [$0.token] : [] } ?? [])
    return steps + shown.map { .tell($0, scan.progress) }
  }

  /// The client has made room; returns what to send.
  mutating func begin(_ token: RequestID) -> [Step] {
    guard own?.token == token else { return [] }
    own?.hasBegun = true
    return [.tell(token, ProgressReporter.beginning)]
  }

  /// There is nothing to show any more; returns what takes away what is shown.
  mutating func end() -> [Step] {
    defer { own = nil }
    return own.map { $0.hasBegun ? [.tell($0.token, .end)] : [] } ?? []
  }

  /// Whether a token is that of what we show by ourselves.
  func isOwn(_ token: RequestID) -> Bool { own?.token == token }
}

extension Workspace.Scan {
  fileprivate var progress: WorkDoneProgress {
    walk.next == nil
      ? .report(
        message: "\(next) of \(files.count) files",
        percentage: 100 * next / max(1, files.count)
      ) : .report(message: "\(found?.count ?? 0) files found", percentage: nil)
  }
}

extension Server {
  /// Shows how far the look at the folders is, wherever that is to be shown.
  func showProgress() {
    guard let scan = workspace.scan else { return }
    let tokens = waiting.compactMap(\.token)
    send(progress.report(scan, to: tokens, isAnnounced: client.showsProgress, at: now))
  }

  /// Takes the answer to our wish to show progress.
  func beginOwnProgress(_ token: RequestID, isGranted: Bool) {
    guard isGranted, workspace.scan != nil else { return }
    send(progress.begin(token))
  }

  /// Takes away what we show by ourselves, when there is nothing to show any more.
  func endProgressIfOver() {
    if workspace.scan == nil { send(progress.end()) }
  }

  /// `window/workDoneProgress/cancel`: the user does not want to wait.
  func cancelProgress(_ params: WorkDoneProgressCancelParams) {
    if progress.isOwn(params.token) {
      cancel { $0.question.isAboutWorkspace }
    } else {
      cancel { $0.token == params.token }
    }
  }

  func notify(_ token: RequestID, _ progress: WorkDoneProgress) {
    notify("$/progress", ProgressParams(token: token, value: progress))
  }

  private func send(_ steps: [ProgressReporter.Step]) {
    for step in steps {
      switch step {
      case .create(let token):
        let params = WorkDoneProgressCreateParams(token: token)
        request("window/workDoneProgress/create", for: .progress(token), params)
      case .tell(let token, let progress): notify(token, progress)
      }
    }
  }
}
