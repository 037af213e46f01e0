extension Server {
  /// What the user said about tracking a document: in this session, else in an earlier one.
  func trackingChoice(of key: String) -> Bool? {
    trackingChoices[key] ?? (settings.remembersTracking ? rememberedChoices[key] : nil)
  }

  /// Takes it for the document, now and later, that the user turned tracking on or off.
  func choose(_ isOn: Bool, for key: String) {
    trackingChoices[key] = isOn
    if settings.remembersTracking, filePath(of: key) != nil { choicesToRemember[key] = isOn }
  }

  func rememberingEffect() -> Effect? {
    guard !choicesToRemember.isEmpty else { return nil }
    defer { choicesToRemember = [:] }
    return .remember(choicesToRemember)
  }

  func recallingEffect() -> Effect? {
    guard settings.remembersTracking, !hasRecalled else { return nil }
    hasRecalled = true
    return .recall
  }

  /// Takes what is remembered; documents that were opened meanwhile follow.
  func takeChoices(_ result: EffectOutcome.Result) {
    if case .failure(let reason) = result {
      logOnce("Where tracking was turned on and off is not remembered: \(reason)")
    }
    guard case .choices(let choices) = result else { return }
    rememberedChoices = choices
    for key in documents.keys.sorted() {
      guard let document = documents[key], document.trackingChoice == nil,
        let choice = trackingChoice(of: key)
      else { continue }
      document.trackingChoice = choice
      if choice != isRecording(document) { setTracking(choice, of: document) }
    }
  }
}

/// The path of a file by its document's key; nil for what is no file.
func filePath(of key: String) -> String? {
  for prefix in ["file:///", "file://localhost/"] where key.hasPrefix(prefix) {
    return String(key.dropFirst(prefix.count - 1))
  }
  return nil
}
