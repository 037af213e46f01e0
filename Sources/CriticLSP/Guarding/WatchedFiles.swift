/// Markdown files that are looked at again and again, for what is written past their editors.
struct WatchedFiles {
  private struct File {
    /// As it was last.
    var kept: KeptFiles.File
    /// When it was so last, in milliseconds.
    var moment: Int
    /// Its stamp, if that was another one at the last look.
    var found: FileStamp?
    /// At how many looks it was not there.
    var absences = 0
  }

  private let places: [Path]
  /// What git ignores in them, as it was when a file was last new or another one: not each look starts git.
  private var ignored: [Path: IgnoredPaths]
  private var files: [Path: File] = [:]
  /// How many bytes may be kept yet.
  private var room = 1 << 26
  /// Whether there are more than can be watched.
  private(set) var isShort = false

  /// How many there are.
  var count: Int { files.count }

  /// Who removes a file to put another one in its place has done it by then.
  private static let mostAbsences = 3

  /// Begins with the files that are there.
  ///
  /// - Parameter places: The files and folders, without links.
  init(in places: [Path]) {
    self.places = places
    ignored = FoundFiles.ignored(in: places)
    _ = note(FoundFiles(in: places, without: ignored))
  }

  /// Finds the files that are there.
  private mutating func find() -> FoundFiles {
    let found = FoundFiles(in: places, without: ignored)
    if found.files.allSatisfy({ files[$0.path]?.kept.stamp == $0.stamp }) { return found }
    ignored = FoundFiles.ignored(in: places)
    return FoundFiles(in: places, without: ignored)
  }

  /// Keeps the files that are new, and returns the stamps of all.
  private mutating func note(_ found: FoundFiles) -> [Path: FileStamp] {
    var new = FoundFiles(in: [])
    for (path, stamp) in found.files where files[path] == nil { new.add(path, stamp) }
    let kept = KeptFiles(new, within: room)
    isShort = found.isShort || kept.isShort
    for file in kept.files {
      room -= file.bytes.count
      files[file.path] = File(kept: file, moment: kept.moment)
    }
    return Dictionary(found.files.map { ($0.path, $0.stamp) }) { first, _ in first }
  }

  /// Looks at the files once.
  ///
  /// - Parameter settle: Handles a file that was written since the moment and is so since the last look, or that is gone;
  ///   returns what it has then, nil if that is not known.
  mutating func look(_ settle: (KeptFiles.File, _ moment: Int) -> [UInt8]?) {
    let stamps = note(find())
    for path in files.keys.sorted() {
      guard var file = files[path] else { continue }
      room += file.kept.bytes.count
      let isThere = WatchedFiles.look(at: &file, stamps[path], settle)
      files[path] = isThere ? file : nil
      if isThere { room -= file.kept.bytes.count }
    }
  }

  /// Looks at a file with a stamp; returns false if it is gone for good.
  private static func look(
    at file: inout File,
    _ stamp: FileStamp?,
    _ settle: (KeptFiles.File, _ moment: Int) -> [UInt8]?
  ) -> Bool {
    guard let stamp else {
      file.absences += 1
      return file.absences < mostAbsences || settle(file.kept, file.moment) != nil
    }
    file.absences = 0
    defer { file.found = stamp }
    let known = file.kept
    if stamp == known.stamp {
      file.moment = Platform.now
    } else if stamp == file.found {
      let left = settle(known, file.moment)
      // What is written while it is settled is found by the next look.
      let isSeen = left == nil || left == known.bytes
      let now = isSeen ? stamp : FileStamp(size: 0, modified: 0)
      file.kept = KeptFiles.File(path: known.path, bytes: left ?? known.bytes, stamp: now)
    }
    return true
  }
}
