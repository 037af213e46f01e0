import JSONRPC

/// A setting: its name, what it may be, and where ``Settings`` keeps it.
struct Setting: Sendable {
  let name: String
  /// What it may be, for messages.
  fileprivate let expected: String
  /// Keeps a value; returns false if it is wrong.
  fileprivate let take: @Sendable (inout Settings, JSON) -> Bool
  /// The value that is kept, as the client spells it but without quotes.
  let value: @Sendable (Settings) -> String

  /// All of them; what is read, reported and documented follows from this.
  static let all = [
    choice("tracking", \.tracking, ["on": .on, "off": .off, "auto": .auto]),
    choice("marks", \.marks, ["inline": .inline, "beside": .beside, "file": .file]),
    choice("marking", \.marking, ["auto": nil, "idle": .idle, "save": .save, "command": .command]),
    number("idleDelay", \.idleDelay, 0...3_600_000, "a number of milliseconds from 0 to 3600000"),
    text("author", \.author, "a name"),
    choice(
      "attribution",
      \.attribution,
      ["none": .none, "author": .author, "author+date": .authorAndDate]
    ),
    number("maxChanges", \.maxChanges, 0...Int.max, "a number from 0"),
    choice(
      "severity",
      \.severity,
      ["error": .error, "warning": .warning, "information": .information, "hint": .hint]
    ),
    choice("frontMatter", \.tracksFrontMatter, ["leave": false, "track": true]),
    flag("codeLens", \.codeLens),
    flag("inlayHints", \.inlayHints),
    flag("semanticTokens", \.semanticTokens),
    flag("rememberTracking", \.remembersTracking),
    flag("markWhileTyping", \.marksWhileTyping),
    text("acceptKey", \.acceptKey, "the name of a key or command"),
    text("rejectKey", \.rejectKey, "the name of a key or command"),
  ]
}

extension Setting {
  /// A setting that is kept at `path`.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - path: Where it is kept.
  ///   - expected: What it may be, for messages.
  ///   - read: Reads a value; nil if it is wrong.
  ///   - told: The value as the client spells it.
  private init<Value>(
    _ name: String,
    _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ expected: String,
    read: @escaping @Sendable (JSON) -> Value?,
    told: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.expected = expected
    take = { settings, json in
      guard let value = read(json) else { return false }
      settings[keyPath: path] = value
      return true
    }
    value = { told($0[keyPath: path]) }
  }

  private static func choice<Value: Equatable & Sendable>(
    _ name: String,
    _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ choices: KeyValuePairs<String, Value>
  ) -> Setting {
    Setting(
      name,
      path,
      choices.map(\.key).quotedAlternatives,
      read: { json in choices.first { $0.key == json.string }?.value },
      told: { value in choices.first { $0.value == value }?.key ?? "" }
    )
  }

  private static func number(
    _ name: String,
    _ path: any WritableKeyPath<Settings, Int> & Sendable,
    _ range: ClosedRange<Int>,
    _ expected: String
  ) -> Setting {
    Setting(
      name,
      path,
      expected,
      read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } },
      told: { "\($0)" }
    )
  }

  private static func flag(
    _ name: String,
    _ path: any WritableKeyPath<Settings, Bool> & Sendable
  ) -> Setting {
    Setting(name, path, "true or false", read: { $0.bool }, told: { "\($0)" })
  }

  private static func text(
    _ name: String,
    _ path: any WritableKeyPath<Settings, String?> & Sendable,
    _ expected: String
  ) -> Setting {
    Setting(
      name,
      path,
      expected,
      read: { json in
        guard json.isNull || json.string != nil else { return nil }
        return .some(json.string.flatMap { $0.isEmpty ? nil : $0 })
      },
      told: { $0 ?? "none" }
    )
  }
}

extension Settings {
  /// Applies the settings in `json`.
  ///
  /// - Parameters:
  ///   - json: An object with any of the keys.
  ///   - isMeant: Whether to look at a member.
  /// - Returns: Sentences for the user about settings that are wrong.
  mutating func merge(
    _ json: JSON?,
    where isMeant: (String, JSON) -> Bool = { _, _ in true }
  ) -> [String] {
    guard let json, !json.isNull else { return [] }
    guard json.kind == .object else { return ["The settings of critic must be an object."] }
    return json.members.filter { isMeant($0.key, $0.value) }.compactMap { merge($0.key, $0.value) }
  }

  private mutating func merge(_ name: String, _ value: JSON) -> String? {
    guard let setting = Setting.all.first(where: { $0.name == name }) else {
      return "critic has no setting \"\(name)\"."
    }
    guard !setting.take(&self, value) else { return nil }
    return
      "The setting critic.\(name) must be \(setting.expected), not \(value); it is left as it was."
  }
}

extension Settings: CustomStringConvertible {
  /// The settings that affect the text, on one line.
  var description: String {
    let names = ["tracking", "marking", "idleDelay", "frontMatter"]
    let shown = Setting.all.filter { names.contains($0.name) }
    return shown.map { "\($0.name) \($0.value(self))" }.joined(separator: ", ") + "."
  }
}
