/// What the user said about tracking documents, by key: in this session, and in earlier ones.
struct TrackingStore {
  private var said: [String: Bool] = [:]
  private var remembered: [String: Bool] = [:]
  /// What was said and is not handed out to be remembered yet.
  private var unsaved: [String: Bool] = [:]
  private var isRecallingAskedFor = false

  /// What was said about a document in this session.
  func choice(for key: String) -> Bool? { said[key] }

  /// What was said about a document in an earlier session, as far as that was recalled.
  func rememberedChoice(for key: String) -> Bool? { remembered[key] }

  /// Notes what the user says.
  mutating func choose(_ isOn: Bool, for key: String) { said[key] = isOn }

  /// Has it remembered what the user says.
  mutating func remember(_ isOn: Bool, for key: String) { unsaved[key] = isOn }

  /// Takes in what is remembered.
  mutating func recall(_ choices: [String: Bool]) { remembered = choices }

  /// Hands out what is to be remembered, once; nil if there is nothing.
  mutating func takeUnsaved() -> Effect? {
    guard !unsaved.isEmpty else { return nil }
    defer { unsaved = [:] }
    return .remember(unsaved)
  }

  /// Asks for what is remembered, once; nil after that.
  mutating func startRecalling() -> Effect? {
    guard !isRecallingAskedFor else { return nil }
    isRecallingAskedFor = true
    return .recall
  }
}

extension Server {
  /// What the user said about tracking a document: in this session, else in an earlier one.
  func trackingChoice(of key: String) -> Bool? {
    tracking.choice(for: key)
      ?? (settings.remembersTracking ? tracking.rememberedChoice(for: key) : nil)
  }

  /// Takes it for the document, now and later, that the user turned tracking on or off.
  func choose(_ isOn: Bool, for key: String) {
    tracking.choose(isOn, for: key)
    if settings.remembersTracking, filePath(of: key) != nil { tracking.remember(isOn, for: key) }
  }

  /// Takes what is remembered; documents that were opened meanwhile follow.
  func receiveChoices(_ result: EffectOutcome.Result) {
    if case .failure(let reason) = result {
      logOnce("Where tracking was turned on and off is not remembered: \(reason)")
    }
    guard case .choices(let choices) = result else { return }
    tracking.recall(choices)
    for key in documents.keys.sorted() {
      guard let document = documents[key], document.trackingChoice == nil,
        let choice = trackingChoice(of: key)
      else { continue }
      document.trackingChoice = choice
      if choice != document.isRecording { setTracking(choice, of: document) }
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
