/// In which documents the user turned tracking on or off, in this session and in earlier ones, by document
/// key.
struct TrackingStore {
  private var said: [String: Bool] = [:]
  private var remembered: [String: Bool] = [:]
  /// Choices that are still to be saved.
  private var unsaved: [String: Bool] = [:]
  private var isRecallingAskedFor = false

  /// The choice for a document in this session.
  func choice(for key: String) -> Bool? { said[key] }

  /// The choice for a document in an earlier session, once those are read.
  func rememberedChoice(for key: String) -> Bool? { remembered[key] }

  /// Notes a choice for this session.
  mutating func choose(_ isOn: Bool, for key: String) { said[key] = isOn }

  /// Notes a choice to be saved.
  mutating func remember(_ isOn: Bool, for key: String) { unsaved[key] = isOn }

  /// Replaces the choices of earlier sessions.
  mutating func recall(_ choices: [String: Bool]) { remembered = choices }

  /// Takes out the choices to save; nil if there are none.
  mutating func takeUnsaved() -> Effect? {
    guard !unsaved.isEmpty else { return nil }
    defer { unsaved = [:] }
    return .remember(unsaved)
  }

  /// The effect that reads the choices of earlier sessions; nil after the first call.
  mutating func startRecalling() -> Effect? {
    guard !isRecallingAskedFor else { return nil }
    isRecallingAskedFor = true
    return .recall
  }
}

extension Server {
  /// The user's choice for a document, in this session or else in an earlier one.
  func trackingChoice(of key: String) -> Bool? {
    tracking.choice(for: key)
      ?? (settings.remembersTracking ? tracking.rememberedChoice(for: key) : nil)
  }

  /// Notes the user's choice for a document, for now and for later sessions.
  func choose(_ isOn: Bool, for key: String) {
    tracking.choose(isOn, for: key)
    if settings.remembersTracking, filePath(of: key) != nil { tracking.remember(isOn, for: key) }
  }

  /// Handles the choices of earlier sessions; applies them to documents opened meanwhile.
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
