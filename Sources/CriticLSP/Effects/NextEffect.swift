extension Server {
  /// The effect to be done next; nil if there is none.
  ///
  /// What is begun for a document is done to its end; only what is to be kept is done at the end of the session.
  func nextEffect() -> Effect? {
    switch effect {
    case .keep?, .writeRecord?: return effect
    case .recall?, .findMarks?, .moveSidecar?, .nameWriter?:
      if isRunning { return effect }
    case .look?, .compare?, .readBeside?, .recordBeside?:
      guard let effect, isRunning else { break }
      guard baselines.hasUrgent || baselines.hasHolding && !effect.isHolding else { return effect }
      // A look is begun anew: who asks next must know what is beside a document. What has a thread of its own goes on.
      baselines.wantAgain(effect)
    case .findIgnored?, .list?, .read?, .readContent?, .findOrphan?, .idle?, nil: break
    }
    if let wanted = baselines.next(isEnding: !isRunning) { return wanted }
    guard isRunning else { return nil }
    return writers.next ?? nextContentToRead ?? (isSearching ? .idle : workspace.scan?.effect)
  }

  private var isRunning: Bool { stage == .running && exitCode == nil }

  /// Handles the outcome of an effect.
  func take(_ outcome: EffectOutcome) {
    switch outcome.effect {
    case .recall(let key, _): receiveBaseline(outcome.result, of: key)
    case .findMarks(let key): receiveMarks(outcome.result, of: key)
    case .keep: receiveKept(outcome.result)
    case .writeRecord(let record): receiveWritten(outcome.result, record)
    case .compare(let comparing): receiveDifferences(outcome.result, of: comparing)
    case .readBeside(let reading): receiveMarks(outcome.result, of: reading)
    case .recordBeside(let recording): receiveRecorded(outcome.result, of: recording)
    case .look(let key, _): receiveLook(outcome.result, at: key)
    case .moveSidecar(let old, let new): receiveMoved(outcome.result, from: old, to: new)
    case .findOrphan(let path): receiveOrphan(outcome.result, of: path)
    case .findIgnored, .list, .read: receiveFound(outcome)
    case .readContent(let path, _): receiveContent(outcome.result, of: path)
    case .nameWriter(let folder): receiveWriter(outcome.result, in: folder)
    case .idle: doMore()
    }
  }
}
