import JSONRPC

/// The settings, from `initializationOptions` and the section `critic` of the client's configuration.
struct Settings: Equatable {
  enum Tracking: String {
    case on
    case off
    case auto
  }

  var tracking = Tracking.auto
  /// When to mark; nil is `auto`, which depends on the client.
  var marking: Client.Marking?
  /// How long after the last key to mark, in milliseconds.
  var idleDelay = 750
  var author: String?
  /// The severity of the entries of the list of changes.
  var severity = DiagnosticSeverity.information
  /// The maximum number of entries in a list sent to the editor; 0 turns the lists off.
  var maxChanges = 2000
  var tracksFrontMatter = false
  var codeLens = true
  var inlayHints = true
  var semanticTokens = true
  var remembersTracking = true

  /// Applies the settings in `json`.
  ///
  /// - Parameter json: An object with any of the keys.
  /// - Returns: Sentences for the user about settings that are wrong.
  mutating func merge(_ json: JSON?) -> [String] {
    guard let json, !json.isNull else { return [] }
    guard json.kind == .object else { return ["The settings of critic must be an object."] }
    return json.members.compactMap { key, value in merge(key, value) }
  }

  /// Applies our settings in `json`, and ignores other members.
  ///
  /// - Parameter json: An object.
  /// - Returns: Sentences for the user about settings that are wrong.
  mutating func mergeOurs(of json: JSON) -> [String] {
    json.members.filter { Settings.names.contains($0.key) }.compactMap { key, value in
      merge(key, value)
    }
  }

  static let names: Set<String> = [
    "tracking", "marking", "idleDelay", "author", "maxChanges", "severity", "frontMatter",
    "codeLens", "inlayHints", "semanticTokens", "rememberTracking",
    "markWhileTyping",
  ]

  private mutating func merge(_ key: String, _ value: JSON) -> String? {
    switch key {
    case "tracking":
      guard let known = value.string.flatMap(Tracking.init) else {
        return wrong(key, "\"on\", \"off\" or \"auto\"", value)
      }
      tracking = known
    case "marking":
      if value.string == "auto" {
        marking = nil
      } else if let known = value.string.flatMap(Client.Marking.init) {
        marking = known
      } else {
        return wrong(key, "\"auto\", \"idle\", \"save\" or \"command\"", value)
      }
    case "idleDelay":
      guard let delay = value.integer, delay >= 0, delay <= 3_600_000 else {
        return wrong(key, "a number of milliseconds from 0 to 3600000", value)
      }
      idleDelay = delay
    case "author":
      guard value.isNull || value.string != nil else { return wrong(key, "a name", value) }
      author = value.string.flatMap { $0.isEmpty ? nil : $0 }
    case "maxChanges":
      guard let most = value.integer, most >= 0 else { return wrong(key, "a number from 0", value) }
      maxChanges = most
    case "severity":
      let names: [String: DiagnosticSeverity] = [
        "error": .error, "warning": .warning, "information": .information, "hint": .hint,
      ]
      guard let known = value.string.flatMap({ names[$0] }) else {
        return wrong(key, "\"error\", \"warning\", \"information\" or \"hint\"", value)
      }
      severity = known
    case "frontMatter":
      guard let word = value.string, word == "leave" || word == "track" else {
        return wrong(key, "\"leave\" or \"track\"", value)
      }
      tracksFrontMatter = word == "track"
    case "codeLens": return merge(key, value, \.codeLens)
    case "inlayHints": return merge(key, value, \.inlayHints)
    case "semanticTokens": return merge(key, value, \.semanticTokens)
    case "rememberTracking": return merge(key, value, \.remembersTracking)
    case "markWhileTyping":
      // Our packages read it: only they know what mode the editor is in.
      return value.bool == nil ? wrong(key, "true or false", value) : nil
    default: return "critic has no setting \"\(key)\"."
    }
    return nil
  }

  private mutating func merge(
    _ key: String,
    _ value: JSON,
    _ setting: WritableKeyPath<Settings, Bool>
  ) -> String? {
    guard let known = value.bool else { return wrong(key, "true or false", value) }
    self[keyPath: setting] = known
    return nil
  }

  private func wrong(_ key: String, _ expected: String, _ value: JSON) -> String {
    "The setting critic.\(key) must be \(expected), not \(value); it is left as it was."
  }
}

extension Settings: CustomStringConvertible {
  /// The settings that affect the text, on one line.
  var description: String {
    """
    tracking \(tracking), marking \(marking?.rawValue ?? "auto"), idleDelay \(idleDelay), \
    frontMatter \(tracksFrontMatter ? "track" : "leave").
    """
  }
}
