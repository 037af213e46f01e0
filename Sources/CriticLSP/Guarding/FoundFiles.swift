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

  /// Finds files; what cannot be read is passed over.
  ///
  /// - Parameter places: The files, and the folders in which and below which all are meant, without links.
  init(in places: [Path]) {
    var folders: [Path] = []
    for place in places {
      if let stamp = Platform.stamp(of: place) {
        add(place, stamp)
      } else {
        folders.append(place)
      }
    }
    var walk = FolderWalk(folders)
    while let folder = walk.next {
      var listing = Listing()
      if let reader = try? FolderReader(folder, isStamping: true) {
        while (try? reader.readMore(.max, into: &listing)) == true {}
      }
      listing.sort()
      for file in listing.files { add(folder / file.name, file.stamp) }
      walk.advance(into: listing.folders.map { folder / $0 })
      if walk.count > FoundFiles.mostFolders || isFull {
        isShort = isShort || walk.next != nil
        walk.stop()
      }
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
