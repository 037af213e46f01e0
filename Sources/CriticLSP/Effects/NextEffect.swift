extension Server {
  /// Chooses the next effect.
  ///
  /// `remember` is never interrupted, and the only effect at the end of the session.
  func chooseEffect() {
    switch effect {
    case .remember?: return
    case .recall? where stage == .running && exitCode == nil: return
    default: break
    }
    effect = tracking.takeUnsaved()
    guard effect == nil, stage == .running, exitCode == nil else { return }
    let recalling = settings.remembersTracking ? tracking.startRecalling() : nil
    effect = recalling ?? workspace.scan?.effect ?? (isSearching ? .idle : nil)
  }

  func receive(_ outcome: EffectOutcome) {
    guard outcome.effect == effect else { return }
    effect = nil
    lastTaken = "\(outcome.effect)"
    switch outcome.effect {
    case .recall, .remember: receiveChoices(outcome.result)
    case .list: receiveListing(outcome.result)
    case .read: receiveFile(outcome.result)
    case .idle: goOn()
    }
  }
}
