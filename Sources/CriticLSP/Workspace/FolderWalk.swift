/// A walk over folders and the folders in them, for both the server and `export`.
///
/// It says which folder is next; the caller lists that folder.
struct FolderWalk {
  /// The folders to list; the last one is next.
  private var waiting: [String]
  /// In UTF-8, because names that are canonically equivalent in Unicode can be different files.
  private var listed: Set<[UInt8]> = []

  /// Begins a walk over folders, in this order.
  init(_ folders: [String] = []) {
    waiting = folders.reversed()
  }

  /// The folder to list next; nil at the end.
  var next: String? { waiting.last }

  /// How many folders are known so far.
  var count: Int { listed.count + waiting.count }

  /// Continues after the folder that was next.
  ///
  /// - Parameter folders: The folders in it, which come next; empty if it could not be listed.
  mutating func goOn(into folders: [String] = []) {
    guard let folder = waiting.popLast() else { return }
    listed.insert(Array(folder.utf8))
    for folder in folders.reversed() where !listed.contains(Array(folder.utf8)) {
      waiting.append(folder)
    }
  }

  /// Drops the folders that are not listed yet.
  mutating func stop() { waiting = [] }
}
