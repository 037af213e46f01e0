/// A walk over folders and the folders in them, for both the server and `export`.
///
/// It says which folder is next; the caller lists that folder.
struct FolderWalk {
  /// The folders to list; the last one is next.
  private var waiting: [Path]
  private var listed: Set<Path> = []

  /// Begins a walk over folders, in this order.
  init(_ folders: [Path] = []) {
    waiting = folders.reversed()
  }

  /// The folder to list next; nil at the end.
  var next: Path? { waiting.last }

  /// How many folders are known so far.
  var count: Int { listed.count + waiting.count }

  /// Continues after the folder that was next.
  ///
  /// - Parameter folders: The folders in it, which come next; empty if it could not be listed.
  mutating func advance(into folders: [Path] = []) {
    guard let folder = waiting.popLast() else { return }
    listed.insert(folder)
    for folder in folders.reversed() where !listed.contains(folder) {
      waiting.append(folder)
    }
  }

  /// Drops the folders that are not listed yet.
  mutating func stop() { waiting = [] }
}
