import JSONRPC

/// Something for the event loop to do, since the server itself does no I/O; see `Server.effect`.
enum Effect: Equatable {
  /// List the folders and Markdown files in a folder.
  case list(String)
  /// Read a file.
  case read(String)
  /// Send an event when no message waits, for work that is too long for one turn.
  case idle
  /// Read in which documents the user turned tracking on or off, in earlier sessions and other editors.
  case recall
  /// Save in which documents the user turned tracking on or off.
  case remember([String: Bool])
}

extension Effect: CustomStringConvertible {
  /// The effect in words.
  var description: String {
    switch self {
    case .list(let path), .read(let path): "Reading \(path)"
    case .idle: "Continuing with the workspace"
    case .recall: "Recalling where tracking was turned on or off"
    case .remember: "Remembering where tracking was turned on or off"
    }
  }
}

/// The outcome of an effect.
struct EffectOutcome: Equatable {
  let effect: Effect
  let result: Result

  enum Result: Equatable {
    case listing(Listing)
    /// Valid UTF-8, without a byte order mark: as an editor would send it.
    case text([UInt8])
    /// All remembered choices.
    case choices([String: Bool])
    /// The file or folder no longer exists.
    case gone
    /// The effect failed; says why.
    case failure(String)
    /// No message waits.
    case idle
  }
}

/// The Markdown files and the folders in a folder.
struct Listing: Equatable {
  /// The names of the folders in it.
  var folders: [String] = []
  var files: [File] = []

  /// Sorts both by name.
  mutating func sort() {
    folders.sort()
    files.sort { $0.name < $1.name }
  }

  /// A Markdown file.
  struct File: Equatable {
    var name: String
    var stamp: FileStamp
  }
}

/// Size and modification time, which tell whether a file has changed without reading it.
struct FileStamp: Equatable {
  /// In bytes.
  var size: Int
  /// In nanoseconds since 1970.
  var modified: Int
}

// MARK: - As text, for transcripts

extension EffectOutcome: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object {
      switch effect {
      case .list(let path): EffectOutcome.write("list", path, to: &$0)
      case .read(let path): EffectOutcome.write("read", path, to: &$0)
      case .idle: $0.member("effect", "idle")
      case .recall: $0.member("effect", "recall")
      case .remember(let choices):
        $0.member("effect", "remember")
        $0.member("new", object: { EffectOutcome.write(choices, to: &$0) })
      }
      switch result {
      case .listing(let listing):
        $0.member("folders", listing.folders)
        $0.member("files", listing.files)
      case .text(let text):
        $0.key("text")
        $0.string(utf8: text)
      case .choices(let choices):
        $0.member("tracking", object: { EffectOutcome.write(choices, to: &$0) })
      case .gone: $0.member("gone", true)
      case .failure(let reason): $0.member("failure", reason)
      case .idle: break
      }
    }
  }

  private static func write(_ effect: String, _ path: String, to writer: inout JSONWriter) {
    writer.member("effect", effect)
    writer.member("path", path)
  }

  private static func write(_ choices: [String: Bool], to writer: inout JSONWriter) {
    for (key, isOn) in choices.sorted(by: { $0.key < $1.key }) {
      writer.key(key)
      writer.bool(isOn)
    }
  }

  /// Reads what `write(to:)` wrote; nil for anything else.
  init?(_ json: JSON) {
    switch json["effect"]?.string {
    case "list": effect = .list(json["path"]?.string ?? "")
    case "read": effect = .read(json["path"]?.string ?? "")
    case "idle": effect = .idle
    case "recall": effect = .recall
    case "remember": effect = .remember(EffectOutcome.choices(json["new"]))
    default: return nil
    }
    if let text = json["text"]?.utf8 {
      result = .text(text)
    } else if json["tracking"] != nil {
      result = .choices(EffectOutcome.choices(json["tracking"]))
    } else if json["gone"] != nil {
      result = .gone
    } else if let reason = json["failure"]?.string {
      result = .failure(reason)
    } else if json["folders"] != nil {
      result = .listing(Listing(json))
    } else if effect == .idle {
      result = .idle
    } else {
      return nil
    }
  }

  private static func choices(_ json: JSON?) -> [String: Bool] {
    let members = json?.members.compactMap { key, value in value.bool.map { (key, $0) } } ?? []
    return Dictionary(members) { _, last in last }
  }
}

extension Listing {
  fileprivate init(_ json: JSON) {
    folders = json["folders"]?.elements.compactMap(\.string) ?? []
    files = json["files"]?.elements.compactMap(File.init) ?? []
  }
}

extension Listing.File: JSONWritable {
  fileprivate init?(_ json: JSON) {
    guard let name = json["name"]?.string else { return nil }
    self.name = name
    stamp = FileStamp(
      size: json["size"]?.integer ?? 0,
      modified: json["modified"]?.integer ?? 0
    )
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("size", stamp.size)
      $0.member("modified", stamp.modified)
    }
  }
}
