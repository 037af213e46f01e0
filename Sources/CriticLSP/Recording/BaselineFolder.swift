import TrackEngine

/// The folder of baselines: for each document a small file, named after the hash of its key, and beside it the original
/// text while it is open.
///
/// A session holds the lock of a file of its own as long as it runs, so that others can tell whether it still does.
final class BaselineFolder {
  /// Without a trailing slash.
  private let path: Path
  private var session: Platform.LifelongLock?

  /// Beyond this many, those of documents that are gone, and then the oldest, are removed.
  static let maxCount = 1000
  /// The most bytes of original texts together.
  static let maxTotal = 1 << 26

  /// What is known of a document.
  struct Found: Equatable {
    var baseline: Baseline
    /// The original text; nil if it is not there, not whole, or another session's.
    ///
    /// It is newer than the one that the baseline is about if a server was killed between writing the two.
    var original: [UInt8]?
  }

  init(path: Path) {
    self.path = path
  }

  /// Where servers keep them; nil if there is no home folder.
  static var standard: Path? { Platform.stateFolder.map { $0 / "critic-lsp/documents" } }

  /// What is known of a document.
  ///
  /// One that is not known by its key is known by its text, if the file that had it is gone: it was renamed. Then
  /// linear in the number of baselines.
  ///
  /// - Parameters:
  ///   - key: The document's key.
  ///   - text: Its text.
  /// - Returns: What is known; nil if nothing is.
  /// - Throws: `Platform.Failure` if it cannot be read.
  func find(_ key: DocumentKey, _ text: TextHash) throws(Platform.Failure) -> Found? {
    var baseline = try read(name(of: key))
    if baseline == nil { baseline = try renamed(text) }
    guard let baseline else { return nil }
    var found = Found(baseline: baseline)
    let file = originalFile(name(of: baseline.document))
    if baseline.original != nil, !Platform.isGone(file) {
      let original = BaselineFolder.original(in: try Platform.contents(of: file))
      if baseline.holders.count < 2 || original.map({ TextHash(of: $0) }) == baseline.original {
        found.original = original
      }
    }
    return found
  }

  /// Keeps what is known of a document, beside what other sessions have kept.
  ///
  /// - Parameters:
  ///   - baseline: What is known; its holders are passed over.
  ///   - isOpen: Whether this session has it open.
  ///   - original: The original text; nil to leave what is there.
  /// - Returns: False if another session holds the lock just now.
  /// - Throws: `Platform.Failure` if it cannot be written.
  func keep(
    _ baseline: Baseline,
    isOpen: Bool,
    original: [UInt8]?
  ) throws(Platform.Failure) -> Bool {
    try Platform.makeFolders(above: path / "x", mode: 0o700)
    return try Platform.withLock(path / ".lock") { () throws(Platform.Failure) in
      try write(baseline, isOpen: isOpen, original)
      return true
    } ?? false
  }

  private func write(
    _ baseline: Baseline,
    isOpen: Bool,
    _ original: [UInt8]?
  ) throws(Platform.Failure) {
    let name = name(of: baseline.document)
    let own = try isOpen ? ownSession() : session?.name
    let known = try read(name)
    var new = baseline
    new.holders = (known?.holders ?? []).filter { $0 != own && isRunning($0) }
    if isOpen, let own { new.holders.append(own) }
    let file = originalFile(name)
    var isKept = new.original != nil && !new.holders.isEmpty
    if isKept, let original {
      isKept = try hasRoom(for: original.count, besides: name)
      if isKept { try replace(file, BaselineFolder.contents(original)) }
    }
    if new.bytes != known?.bytes {
      if known == nil { try prune() }
      try replace(path / name, new.bytes)
    }
    if !isKept, !Platform.isGone(file) { try Platform.remove(file) }
  }

  /// Whether an editor that had a document open saved a text in it, at or after a time in nanoseconds since 1970.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - key: The document's key.
  ///   - time: When the file was written.
  /// - Returns: Whether it did; false if that cannot be read.
  func hasSaved(_ text: TextHash, in key: DocumentKey, at time: Int) -> Bool {
    let name = name(of: key)
    guard let stamp = Platform.stamp(of: path / name), stamp.modified >= time else { return false }
    return (try? read(name))?.text == text
  }

  // MARK: - Files

  private func name(of key: DocumentKey) -> Path {
    Path("\(TextHash(of: Array(key.uri.utf8)))".utf8) ?? ""
  }

  private func originalFile(_ name: Path) -> Path { path / name + ".original" }

  private func read(_ name: Path) throws(Platform.Failure) -> Baseline? {
    let file = path / name
    return Platform.isGone(file) ? nil : Baseline(try Platform.contents(of: file))
  }

  /// An original text stands behind its hash, since a power failure can leave a part of it.
  private static func contents(_ original: [UInt8]) -> [UInt8] {
    Array("\(TextHash(of: original))\n".utf8) + original
  }

  private static func original(in contents: [UInt8]) -> [UInt8]? {
    guard let end = contents.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let original = Array(contents[(end + 1)...])
    let hash = TextHash(String(decoding: contents[..<end], as: UTF8.self))
    return hash == TextHash(of: original) ? original : nil
  }

  /// A file is not synced to the disk: it is to outlive us, not a power failure, and nobody is to wait for it.
  private func replace(_ file: Path, _ bytes: [UInt8]) throws(Platform.Failure) {
    try Platform.replace(file, isSafe: false, mode: 0o600) { $0.append(bytes) }
  }

  private func listed() throws(Platform.Failure) -> [Platform.Entry] {
    try Platform.entries(of: path).filter { $0.name.bytes.first != UInt8(ascii: ".") }
  }

  private func renamed(_ text: TextHash) throws(Platform.Failure) -> Baseline? {
    guard !Platform.isGone(path) else { return nil }
    for entry in try listed() where !entry.isOriginal {
      guard let baseline = try read(entry.name), baseline.text == text, isGone(baseline) else {
        continue
      }
      return baseline
    }
    return nil
  }

  private func isGone(_ baseline: Baseline) -> Bool {
    baseline.document.path.map(Platform.isGone) ?? true
  }

  private func hasRoom(for count: Int, besides name: Path) throws(Platform.Failure) -> Bool {
    let others = try listed().filter { $0.isOriginal && $0.name != name + ".original" }
    return others.reduce(count) { $0 + $1.stamp.size } <= BaselineFolder.maxTotal
  }

  /// Makes room for another baseline.
  private func prune() throws(Platform.Failure) {
    let files = try listed().filter { !$0.isOriginal }
    guard files.count >= BaselineFolder.maxCount else { return }
    var left = files.count
    for entry in files.sorted(by: { $0.stamp.modified < $1.stamp.modified }) {
      let baseline = try read(entry.name)
      let isHeld = baseline?.holders.contains(where: isRunning) ?? false
      guard !isHeld, left >= BaselineFolder.maxCount || baseline.map(isGone) ?? true else {
        continue
      }
      left -= 1
      for file in [path / entry.name, originalFile(entry.name)]
      where !Platform.isGone(file) {
        try Platform.remove(file)
      }
    }
  }

  // MARK: - Sessions

  private func ownSession() throws(Platform.Failure) -> String {
    if let session { return session.name }
    let folder = path / ".sessions"
    try Platform.makeFolders(above: folder / "x", mode: 0o700)
    let new = try Platform.LifelongLock(in: folder)
    session = new
    return new.name
  }

  /// Whether a session runs; the file of one that does not is removed.
  private func isRunning(_ name: String) -> Bool {
    guard !name.contains("/") else { return false }
    if name == session?.name { return true }
    let file = path / ".sessions" / (Path(name.utf8) ?? "")
    if Platform.isLocked(file) { return true }
    if !Platform.isGone(file) { try? Platform.remove(file) }
    return false
  }
}

extension Platform.Entry {
  /// Whether it is an original text.
  fileprivate var isOriginal: Bool { name.splitAtExtension.end == ".original" }
}
