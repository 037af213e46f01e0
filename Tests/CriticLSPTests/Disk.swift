import JSONRPC
import Testing
import TrackEngine

@testable import CriticLSP

/// Folders and files that are there for a server in the same process.
final class Disk {
  /// Texts by path.
  private(set) var files: [String: String] = [:]
  private var stamps: [String: Int] = [:]
  private var clock = 0
  /// What is kept of documents, by key.
  var kept: [DocumentKey: BaselineFolder.Found] = [:]
  /// Files and folders that may not be read.
  var locked: Set<String> = []
  /// What git ignores in folders, by their paths.
  var ignored: [String: [Path]] = [:]
  /// What the server wanted, oldest first.
  private(set) var wanted: [String] = []

  init(_ files: [String: String]) {
    for (path, text) in files { write(path, text) }
  }

  func write(_ path: String, _ text: String) {
    clock += 1
    files[path] = text
    stamps[path] = clock
  }

  func remove(_ path: String) { files[path] = nil }

  func forgetWanted() { wanted = [] }

  /// The record that lies beside a document.
  private func record(of key: DocumentKey) -> String? {
    key.path.flatMap { files[$0.sidecar.description] }
  }

  /// What comes of an effect here.
  func result(of effect: Effect) -> EffectOutcome.Result {
    switch effect {
    case .idle: return .idle
    case .nameWriter: return .name(nil)
    case .recall(let key, _):
      return .found(kept[key], record(of: key).map { .text(Array($0.utf8)) })
    case .compare(let comparing): return .missed(comparing.missed)
    case .readBeside(let reading): return .marks(reading.found)
    case .recordBeside(let recording): return .recorded(recording.recorded)
    case .findMarks(let key):
      guard let path = key.path?.description else { return .gone }
      if locked.contains(path) { return .found(nil, .unreadable("not permitted")) }
      return .found(nil, files[path].map { .text(Array($0.utf8)) })
    case .writeRecord(let written):
      guard let file = written.document.path else { return .gone }
      let path = written.place == .file ? file.description : file.sidecar.description
      guard written.isKnown(files[path].map { Array($0.utf8) }) else {
        return .failure("another program has changed it")
      }
      if written.text == nil {
        let text = Array((files[file.description] ?? "").utf8)
        let isHeld = files[path].map { Array($0.utf8).holdsSame(as: text) } ?? true
        guard isHeld else { return .failure("it has what the text has not") }
      }
      if let text = written.text {
        write(path, String(decoding: text, as: UTF8.self))
      } else {
        remove(path)
      }
      return .done
    case .keep(let new):
      let key = new.baseline.document
      let original = new.original ?? kept[key]?.original
      kept[key] = BaselineFolder.Found(
        baseline: new.baseline,
        original: new.isOpen ? original : nil
      )
      return .done
    case .look(let key, let stamp):
      guard let path = key.path?.description, let text = files[path],
        let now = self.stamp(of: path)
      else { return .gone }
      return .stamp(now, stamp == nil || stamp == now ? nil : TextHash(of: Array(text.utf8)))
    case .moveSidecar(let old, let new):
      let (from, to) = (old.sidecar.description, new.sidecar.description)
      guard let record = files[from], files[old.description] == nil, files[new.description] != nil
      else { return .gone }
      if files[to] != nil { return .failure("\(to) is there already") }
      remove(from)
      write(to, record)
      return .done
    case .findOrphan(let path):
      let isOrphan = files[path.description] == nil && files[path.sidecar.description] != nil
      return isOrphan ? .done : .gone
    case .findIgnored(let folder): return .ignored(IgnoredPaths(Set(ignored["\(folder)"] ?? [])))
    case .list(let folder):
      let path = folder.description
      wanted.append("list \(path)")
      return locked.contains(path) ? .failure("Permission denied") : listing(of: path)
    case .read(let file), .readContent(let file, _):
      let path = file.description
      var want = "read \(path)"
      if case .readContent(_, let folder?) = effect { want += " within \(folder)" }
      wanted.append(want)
      if locked.contains(path) { return .failure("Permission denied") }
      let record = files[file.sidecar.description].map { SidecarFile.text(Array($0.utf8)) }
      return files[path].map { .text(Array($0.utf8), record) } ?? .gone
    }
  }

  private func stamp(of path: String) -> FileStamp? {
    files[path].map { FileStamp(size: $0.utf8.count, modified: stamps[path] ?? 0) }
  }

  private func listing(of path: String) -> EffectOutcome.Result {
    let start = path.hasSuffix("/") ? path : "\(path)/"
    var listing = Listing()
    for file in files.keys.sorted() where file.hasPrefix(start) {
      let parts = file.dropFirst(start.count).split(separator: "/")
      if parts.count > 1 {
        let name = Path(String(parts[0]))
        if listing.folders.last != name { listing.folders.append(name) }
      } else {
        let name = Path(String(parts[0]))
        guard name.sidecarText == nil, let stamp = stamp(of: file) else { continue }
        let record = self.stamp(of: "\(file).critic")
        listing.files.append(Listing.File(name: name, stamp: stamp, record: record))
      }
    }
    return listing == Listing() ? .gone : .listing(listing)
  }
}

extension Wire {
  /// Does one thing that the server wants; returns what it sends then, nil if it wants nothing.
  @discardableResult
  func step(on disk: Disk) -> [JSON]? {
    guard let effect = server.effect else { return nil }
    return handle(.outcome(EffectOutcome(effect: effect, result: disk.result(of: effect))))
  }

  /// Does what the server wants until it wants nothing more.
  @discardableResult
  func work(on disk: Disk) -> [JSON] {
    var sent: [JSON] = []
    for _ in 0..<10_000 {
      guard let more = step(on: disk) else { return sent }
      sent += more
    }
    Issue.record("the server wants something without end")
    return sent
  }

  /// Searches the workspace and returns what is found.
  func search(_ query: String, on disk: Disk) throws -> [JSON] {
    let id = begin("workspace/symbol", #"{"query":\#(json(query))}"#)
    work(on: disk)
    let result = try #require(answer(to: id)?["result"], "the search was not answered")
    return Array(result.elements)
  }
}
