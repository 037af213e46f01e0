extension Server {
  /// Chooses what is wanted next, if nothing is under way.
  ///
  /// One thing at a time: it stays the same until its outcome comes. At the end of the session only
  /// what is to be remembered is still wanted.
  func chooseEffect() {
    let isOver = stage != .running || exitCode != nil
    if isOver {
      guard case .remember? = effect else {
        effect = rememberingEffect()
        return
      }
    }
    guard effect == nil else { return }
    effect = rememberingEffect()
    guard !isOver, effect == nil else { return }
    effect = recallingEffect()
  }

  func take(_ outcome: EffectOutcome) {
    guard outcome.effect == effect else { return }
    effect = nil
    lastTaken = "\(outcome.effect)"
    switch outcome.effect {
    case .recall, .remember: takeChoices(outcome.result)
    case .list, .read: break
    }
  }
}
