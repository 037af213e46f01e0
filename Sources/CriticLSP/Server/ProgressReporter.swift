import JSONRPC

/// Reports the progress of a scan: to requests that ask for it, and unasked if it takes long.
struct ProgressReporter {
  /// What to send.
  enum Step {
    /// `window/workDoneProgress/create`.
    case create(RequestID)
    /// `$/progress`.
    case tell(RequestID, WorkDoneProgress)
  }

  /// Progress that we report unasked.
  private struct Own {
    /// Whether the client has accepted the token.
    var hasBegun = false
    let token: RequestID
  }

  private var own: Own?
  private var lastToken = 0
  /// When progress was last reported, in milliseconds.
  private var lastReport = 0

  /// How long a scan may take before progress is reported unasked, and how often it is reported, in
  /// milliseconds.
  private static let quietTime = 500
  private static let interval = 200

  static let beginning = WorkDoneProgress.begin(title: "Looking for changes", percentage: 0)

  /// Reports how far a scan is.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - tokens: The tokens of requests that want progress.
  ///   - isAnnounced: Whether the client supports progress that it did not ask for.
  ///   - now: In milliseconds.
  /// - Returns: What to send.
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

  /// Begins our own progress, whose token the client has accepted; returns what to send.
  mutating func begin(_ token: RequestID) -> [Step] {
    guard own?.token == token else { return [] }
    own?.hasBegun = true
    return [.tell(token, ProgressReporter.beginning)]
  }

  /// Ends our own progress; returns what to send.
  mutating func end() -> [Step] {
    defer { own = nil }
    return own.map { $0.hasBegun ? [.tell($0.token, .end)] : [] } ?? []
  }

  /// Whether a token is that of our own progress.
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
  /// Reports how far the scan is, wherever that is wanted.
  func showProgress() {
    guard let scan = workspace.scan else { return }
    let tokens = waiting.all.compactMap(\.token)
    send(progress.report(scan, to: tokens, isAnnounced: client.showsProgress, at: now))
  }

  /// Handles the answer to `window/workDoneProgress/create`.
  func beginOwnProgress(_ token: RequestID, isGranted: Bool) {
    guard isGranted, workspace.scan != nil else { return }
    send(progress.begin(token))
  }

  /// Ends our own progress if no scan is in progress.
  func endProgressIfOver() {
    if workspace.scan == nil { send(progress.end()) }
  }

  /// Handles `window/workDoneProgress/cancel`.
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
