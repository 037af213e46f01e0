/// The Markdown files in some places, with their stamps.
struct FoundFiles {
  private(set) var files: [(path: Path, stamp: FileStamp)] = []
  /// Whether there are more.
  private(set) var isShort = false
  /// The paths of the files: places may lie in each other.
  private var paths: Set<Path> = []

  /// The most files, and the most folders that are looked at for them.
  static let mostFiles = 2000
  private static let mostFolders = 10_000
  /// Longer files are left out, in bytes.
  private static let longest = 1 << 22

  /// Finds files; what cannot be read is passed over.
  ///
  /// - Parameters:
  ///   - places: The files, and the folders in which and below which all are meant, without links.
  ///   - ignored: What is left out in folders.
  init(in places: [Path], without ignored: [Path: IgnoredPaths]) {
    var folders: [Path] = []
    for place in places {
      if let stamp = Platform.stamp(of: place) {
        add(place, stamp)
      } else {
        folders.append(place)
      }
    }
    var folderCount = 0
    for place in folders {
      let tree = MarkdownTree(
        in: place,
        without: ignored[place] ?? IgnoredPaths(),
        isStamping: true,
        maxFolders: FoundFiles.mostFolders - folderCount,
        maxFiles: FoundFiles.mostFiles - files.count
      )
      for file in tree.files { if let stamp = file.stamp { add(file.path, stamp) } }
      folderCount += tree.folderCount
      isShort = isShort || tree.isShort
    }
  }

  /// The same without what git ignores in folders.
  init(in places: [Path]) {
    self.init(in: places, without: FoundFiles.ignored(in: places))
  }

  /// What git ignores in those of some places that are folders.
  static func ignored(in places: [Path]) -> [Path: IgnoredPaths] {
    let folders = Set(places.filter(Platform.isFolder))
    return Dictionary(uniqueKeysWithValues: folders.map { ($0, IgnoredPaths(in: $0)) })
  }

  private var isFull: Bool { files.count == FoundFiles.mostFiles }

  /// Adds a file, if there is room.
  mutating func add(_ path: Path, _ stamp: FileStamp) {
    guard !paths.contains(path) else { return }
    guard stamp.size <= FoundFiles.longest, !isFull else {
      isShort = true
      return
    }
    paths.insert(path)
    files.append((path, stamp))
  }
}
