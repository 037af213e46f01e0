/// The Markdown files in some places, with their stamps.
struct FoundFiles {
  private(set) var files: [(path: Path, stamp: FileStamp)] = []
  /// Whether there are more.
  private(set) var isShort = false

  /// The most files, and the most folders that are looked at for them.
  static let mostFiles = 2000
  private static let mostFolders = 10_000
  /// Longer files are left out, in bytes.
  private static let longest = 1 << 22

  /// Finds files; what cannot be read is passed over, and in folders what git ignores.
  ///
  /// - Parameter places: The files, and the folders in which and below which all are meant, without links.
  init(in places: [Path]) {
    for place in places {
      guard Platform.isFolder(place) else {
        if let stamp = Platform.stamp(of: place) { add(place, stamp) }
        continue
      }
      let tree = MarkdownTree(
        in: place,
        without: IgnoredPaths(in: place),
        isStamping: true,
        atMost: FoundFiles.mostFolders
      )
      for file in tree.files { if let stamp = file.stamp { add(file.path, stamp) } }
      isShort = isShort || tree.isShort
    }
  }

  private var isFull: Bool { files.count == FoundFiles.mostFiles }

  /// Adds a file, if there is room.
  mutating func add(_ path: Path, _ stamp: FileStamp) {
    guard stamp.size <= FoundFiles.longest, !isFull else {
      isShort = true
      return
    }
    files.append((path, stamp))
  }
}
