/// A walk over folders and the folders in them, the one of the server and of `export`.
///
/// It says which folder is next; whoever walks lists that, at once or a slice at a time.
struct FolderWalk {
  /// The last one is next.
  private var waiting: [String]
  /// In UTF-8, for two names that are equal in Unicode are two all the same.
  private var listed: Set<[UInt8]> = []

  /// Begins a walk over folders, in this order.
  init(_ folders: [String] = []) {
    waiting = folders.reversed()
  }

  /// The folder to list next; nil at the end.
  var next: String? { waiting.last }

  /// How many folders are known by now.
  var count: Int { listed.count + waiting.count }

  /// Goes on from the folder that was next.
  ///
  /// - Parameter folders: The folders in it, which come before all others; none if it could not be listed.
  mutating func goOn(into folders: [String] = []) {
    guard let folder = waiting.popLast() else { return }
    listed.insert(Array(folder.utf8))
    for folder in folders.reversed() where !listed.contains(Array(folder.utf8)) {
      waiting.append(folder)
    }
  }

  /// Leaves out what is not listed yet.
  mutating func stop() { waiting = [] }
}
