import JSONRPC
import TrackEngine

/// Outcomes as transcripts have them: the effect's members first, then those of the result.
extension EffectOutcome: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object {
      switch effect {
      case .findIgnored(let path): EffectOutcome.write("findIgnored", path, to: &$0)
      case .list(let path): EffectOutcome.write("list", path, to: &$0)
      case .read(let path): EffectOutcome.write("read", path, to: &$0)
      case .readContent(let path, let folder):
        EffectOutcome.write("readContent", path, to: &$0)
        $0.member("within", ifPresent: folder.map(RecordedPath.init))
      case .nameWriter(let path): EffectOutcome.write("nameWriter", path, to: &$0)
      case .moveSidecar(let old, let new):
        EffectOutcome.write("moveSidecar", old, to: &$0)
        $0.member("to", RecordedPath(new))
      case .findOrphan(let path): EffectOutcome.write("findOrphan", path, to: &$0)
      case .idle: $0.member("effect", "idle")
      case .recall(let key, let text):
        $0.member("effect", "recall")
        $0.member("document", key.uri)
        $0.member("opened", "\(text)")
      case .findMarks(let key):
        $0.member("effect", "findMarks")
        $0.member("document", key.uri)
      case .keep(let kept):
        $0.member("effect", "keep")
        $0.member("baseline", utf8: kept.baseline.bytes[...])
        $0.member("isOpen", kept.isOpen)
        if let original = kept.original { $0.member("original", utf8: original[...]) }
      case .writeRecord(let record):
        $0.member("effect", "writeRecord")
        $0.member("document", record.document.uri)
        if let text = record.text { $0.member("record", utf8: text[...]) }
        $0.member("place", record.place.rawValue)
        $0.member("known", ifPresent: record.known.map { "\($0)" })
      case .compare(let comparing):
        EffectOutcome.write("compare", comparing.document, comparing.hashes, to: &$0)
      case .readBeside(let reading):
        EffectOutcome.write("readBeside", reading.document, reading.hashes, to: &$0)
      case .recordBeside(let recording):
        EffectOutcome.write("recordBeside", recording.document, recording.hashes, to: &$0)
      case .look(let key, let stamp):
        $0.member("effect", "look")
        $0.member("document", key.uri)
        if let stamp { $0.member("unless", stamp) }
      }
      switch result {
      case .ignored(let ignored):
        $0.member("ignored", ignored.paths.sorted().map(RecordedPath.init))
      case .listing(let listing):
        $0.member("folders", listing.folders.map(RecordedPath.init))
        $0.member("files", listing.files)
      case .text(let text, let record):
        $0.key("text")
        $0.string(utf8: text)
        record?.write(to: &$0)
      case .found(let found, let record):
        $0.member("isFound", found != nil)
        record?.write(to: &$0)
        if let found {
          $0.member("found", utf8: found.baseline.bytes[...])
          if let original = found.original { $0.member("kept", utf8: original[...]) }
        }
      case .stamp(let stamp, let text):
        $0.member("stamp", stamp)
        $0.member("hash", ifPresent: text.map { "\($0)" })
      case .missed(let missed): $0.member("differences", missed?.back.map(EditJSON.init))
      case .marks, .recorded: break
      case .name(let name): $0.member("name", name)
      case .done: $0.member("done", true)
      case .gone: $0.member("gone", true)
      case .failure(let reason): $0.member("failure", reason)
      case .idle: break
      }
    }
  }

  private static func write(_ effect: String, _ path: Path, to writer: inout JSONWriter) {
    writer.member("effect", effect)
    writer.member("path", RecordedPath(path))
  }

  private static func write(
    _ effect: String,
    _ document: DocumentKey,
    _ hashes: [TextHash],
    to writer: inout JSONWriter
  ) {
    writer.member("effect", effect)
    writer.member("document", document.uri)
    writer.member("hashes", hashes.map { "\($0)" })
  }

  /// Reads what `write(to:)` wrote; nil for anything else.
  init?(_ json: JSON) {
    guard let effect = Effect(json), let result = Result(json, of: effect) else { return nil }
    self.init(effect: effect, result: result)
  }
}

extension Effect {
  fileprivate init?(_ json: JSON) {
    let document = DocumentKey(uri: json["document"]?.string ?? "")
    switch json["effect"]?.string {
    case "findIgnored": self = .findIgnored(RecordedPath(json["path"])?.path ?? "")
    case "list": self = .list(RecordedPath(json["path"])?.path ?? "")
    case "read": self = .read(RecordedPath(json["path"])?.path ?? "")
    case "readContent":
      self = .readContent(
        RecordedPath(json["path"])?.path ?? "",
        within: RecordedPath(json["within"])?.path
      )
    case "nameWriter": self = .nameWriter(RecordedPath(json["path"])?.path ?? "")
    case "moveSidecar":
      guard let new = RecordedPath(json["to"])?.path else { return nil }
      self = .moveSidecar(from: RecordedPath(json["path"])?.path ?? "", to: new)
    case "findOrphan": self = .findOrphan(RecordedPath(json["path"])?.path ?? "")
    case "idle": self = .idle
    case "recall":
      guard let text = json["opened"]?.string.flatMap({ TextHash($0) }) else { return nil }
      self = .recall(document, text)
    case "findMarks": self = .findMarks(document)
    case "keep":
      guard let baseline = json["baseline"]?.utf8.flatMap({ Baseline($0) }) else { return nil }
      let isOpen = json["isOpen"]?.bool ?? false
      self = .keep(Kept(baseline: baseline, isOpen: isOpen, original: json["original"]?.utf8))
    case "writeRecord":
      guard let place = json["place"]?.string.flatMap(MarksPlace.init) else { return nil }
      self = .writeRecord(
        SidecarFile.Writing(
          document: document,
          place: place,
          text: json["record"]?.utf8,
          known: json["known"]?.string.flatMap { TextHash($0) }
        )
      )
    case "compare": self = .compare(Comparing(of: document, Effect.hashes(json)))
    case "recordBeside": self = .recordBeside(RecordingBeside(of: document, Effect.hashes(json)))
    case "readBeside": self = .readBeside(ReadingBeside(of: document, Effect.hashes(json)))
    case "look": self = .look(document, json["unless"].map { FileStamp($0) })
    default: return nil
    }
  }
}

extension Effect {
  /// The hashes of the texts of an effect.
  private static func hashes(_ json: JSON) -> [TextHash] {
    json["hashes"]?.elements.compactMap { $0.string.flatMap { TextHash($0) } } ?? []
  }
}

extension EffectOutcome.Result {
  fileprivate init?(_ json: JSON, of effect: Effect) {
    if let ignored = json["ignored"]?.elements {
      self = .ignored(IgnoredPaths(Set(ignored.compactMap { RecordedPath($0)?.path })))
    } else if let text = json["text"]?.utf8 {
      self = .text(text, SidecarFile(json))
    } else if let isFound = json["isFound"]?.bool {
      let baseline = json["found"]?.utf8.flatMap { Baseline($0) }
      guard isFound == (baseline != nil) else { return nil }
      self = .found(
        baseline.map { BaselineFolder.Found(baseline: $0, original: json["kept"]?.utf8) },
        SidecarFile(json)
      )
    } else if let stamp = json["stamp"] {
      self = .stamp(FileStamp(stamp), json["hash"]?.string.flatMap { TextHash($0) })
    } else if let differences = json["differences"] {
      let edits: [EditJSON] = differences.readable()
      self = .missed(differences.isNull ? nil : MissedChanges(undoneBy: edits.map(\.edit)))
    } else if let name = json["name"] {
      self = .name(name.string)
    } else if json["done"] != nil {
      self = .done
    } else if json["gone"] != nil {
      self = .gone
    } else if let reason = json["failure"]?.string {
      self = .failure(reason)
    } else if json["folders"] != nil {
      self = .listing(Listing(json))
    } else if case .readBeside = effect {
      self = .marks(nil)
    } else if case .recordBeside = effect {
      self = .recorded(nil)
    } else if effect == .idle {
      self = .idle
    } else {
      return nil
    }
  }
}

extension SidecarFile {
  /// The record among the members of an outcome; nil if there is none.
  fileprivate init?(_ json: JSON) {
    if let text = json["record"]?.utf8 {
      self = .text(text)
    } else if let reason = json["unreadable"]?.string {
      self = .unreadable(reason)
    } else {
      return nil
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.member("record", utf8: text[...])
    case .unreadable(let reason): writer.member("unreadable", reason)
    }
  }
}

extension Listing {
  fileprivate init(_ json: JSON) {
    folders = json["folders"]?.elements.compactMap { RecordedPath($0)?.path } ?? []
    files = json["files"]?.elements.compactMap(File.init) ?? []
  }
}

extension Listing.File: JSONWritable {
  fileprivate init?(_ json: JSON) {
    guard let name = RecordedPath(json["name"])?.path else { return nil }
    self.init(name: name, stamp: FileStamp(json), record: json["record"].map { FileStamp($0) })
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", RecordedPath(name))
      $0.member("size", stamp.size)
      $0.member("modified", stamp.modified)
      $0.member("record", ifPresent: record)
    }
  }
}

extension FileStamp: JSONWritable {
  fileprivate init(_ json: JSON) {
    self.init(size: json["size"]?.integer ?? 0, modified: json["modified"]?.integer ?? 0)
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("size", size)
      $0.member("modified", modified)
    }
  }
}
