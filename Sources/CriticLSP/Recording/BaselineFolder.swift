import TrackEngine

/// The folder of baselines: for each document a small file, named after the hash of its key, and beside it the original
/// text while it is open.
///
/// A session holds the lock of a file of its own as long as it runs, so that others can tell whether it still does.
final class BaselineFolder {
  /// Without a trailing slash.
  private let path: Path
  private var session: Platform.LifelongLock?
  private var known = KnownBaselines()
  /// How many baselines there are, and how long the original texts are, by the names of their files: as they were listed
  /// last, and with what this process has done since.
  private var count = 0
  private var originals: [Path: Int] = [:]
  /// How many files may be kept until the folder is listed again, and until baselines are removed again if all were in
  /// use: others keep files, too, but the limits need not be exact.
  private var keepsUntilListing = 0
  private var keepsUntilPruning = 0

  /// Beyond this many, those of documents that are gone, and then the oldest, are removed, some at a time.
  static let maxCount = 1000
  /// How many new ones there is room for then.
  static let room = 32
  /// The most bytes of original texts together.
  static let maxTotal = 1 << 26
  /// For a longer original text the folder is listed, in bytes: what others have kept since counts, too.
  private static let shortOriginal = 1 << 16

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
  /// linear in the number of baselines, of which those are read that this process does not know.
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
    if keepsUntilListing == 0 { try list() }
    keepsUntilListing -= 1
    let own = try isOpen ? ownSession() : session?.name
    let old = try read(name)
    var new = baseline
    new.holders = (old?.holders ?? []).filter { $0 != own && isRunning($0) }
    if isOpen, let own { new.holders.append(own) }
    let file = originalFile(name)
    var isKept = new.original != nil && !new.holders.isEmpty
    if isKept, let original {
      isKept = try hasRoom(for: original.count, besides: file.name)
      if isKept {
        try replace(file, BaselineFolder.contents(original))
        originals[file.name] = original.count
      }
    }
    if new.bytes != old?.bytes {
      if old == nil { try makeRoom() }
      try replace(path / name, new.bytes)
      known.note(name, new, nil)
      if old == nil { count += 1 }
    }
    if !isKept {
      originals[file.name] = nil
      if !Platform.isGone(file) { try Platform.remove(file) }
    }
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
    if Platform.isGone(file) { return nil }
    // Another file may take its place before this one is read, but not with its state.
    let state = Platform.settledState(of: file)
    let baseline = Baseline(try Platform.contents(of: file))
    known.note(name, baseline, state)
    return baseline
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

  /// Counts the files; linear in their number.
  private func list() throws(Platform.Failure) {
    count = 0
    originals = [:]
    for entry in try Platform.entries(of: path) {
      if entry.name.isBaseline { count += 1 }
      if entry.name.isOriginal { originals[entry.name] = entry.stamp.size }
    }
    keepsUntilListing = BaselineFolder.room
  }

  private func renamed(_ text: TextHash) throws(Platform.Failure) -> Baseline? {
    guard !Platform.isGone(path) else { return nil }
    let names = try Platform.names(in: path).filter(\.isBaseline)
    known.keep(only: names)
    for name in names where !known.rulesOut(name, in: path, text) {
      guard let baseline = try read(name), baseline.text == text, baseline.isGone else { continue }
      return baseline
    }
    return nil
  }

  private func hasRoom(for length: Int, besides name: Path) throws(Platform.Failure) -> Bool {
    func fits() -> Bool {
      let all = originals.values.reduce(length, +) - (originals[name] ?? 0)
      return all <= BaselineFolder.maxTotal
    }
    if length <= BaselineFolder.shortOriginal, fits() { return true }
    // Others may have taken room, or made some.
    try list()
    return fits()
  }

  /// Makes room for another baseline.
  private func makeRoom() throws(Platform.Failure) {
    if keepsUntilPruning > 0 { keepsUntilPruning -= 1 }
    guard count >= BaselineFolder.maxCount, keepsUntilPruning == 0 else { return }
    let files = try Platform.entries(of: path).filter(\.name.isBaseline)
    count = files.count
    for entry in files.sorted(by: { $0.stamp.modified < $1.stamp.modified }) {
      let baseline = try read(entry.name)
      let isHeld = baseline?.holders.contains(where: isRunning) ?? false
      let isOneTooMany = count > BaselineFolder.maxCount - BaselineFolder.room
      guard !isHeld, isOneTooMany || baseline?.isGone ?? true else { continue }
      count -= 1
      let original = originalFile(entry.name)
      originals[original.name] = nil
      for file in [path / entry.name, original] where !Platform.isGone(file) {
        try Platform.remove(file)
      }
    }
    if count >= BaselineFolder.maxCount { keepsUntilPruning = BaselineFolder.room }
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

extension Path {
  /// Whether it is the name of a baseline, which is a hash; others have a dot.
  fileprivate var isBaseline: Bool { !bytes.contains(UInt8(ascii: ".")) }
  /// Whether it is the name of an original text.
  fileprivate var isOriginal: Bool {
    bytes.first != UInt8(ascii: ".") && bytes.suffix(9).elementsEqual(".original".utf8)
  }
}
