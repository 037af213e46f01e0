/// The Markdown files in a folder and in the folders in it.
struct MarkdownTree {
  /// Sorted by name, folder by folder.
  private(set) var files: [File] = []
  /// Sidecars, whether their texts are there or not; sorted likewise.
  private var sidecars: [File] = []
  /// Paths that could not be read, with the reasons.
  private(set) var failures: [String] = []
  /// How many folders were found.
  private(set) var folderCount = 0
  /// Whether there may be more, since a bound was reached.
  private(set) var isShort = false

  /// A file: its path, and the path relative to the folder.
  struct File {
    var path: Path
    var name: Path
    /// Its stamp; nil if that is not known.
    var stamp: FileStamp?
  }

  /// Finds the files; continues if something cannot be read.
  ///
  /// - Parameters:
  ///   - folder: Where to look.
  ///   - ignored: The files and folders that are left out.
  ///   - more: The extensions of files that are found beside Markdown.
  ///   - isStamping: Whether to get the stamps of files, which takes a system call for each.
  ///   - maxFolders: After so many no more folders are looked at.
  ///   - maxFiles: After so many files neither.
  init(
    in folder: Path,
    without ignored: IgnoredPaths = IgnoredPaths(),
    orOf more: [String] = [],
    isStamping: Bool = false,
    maxFolders: Int = .max,
    maxFiles: Int = .max
  ) {
    var walk = FolderWalk([""])
    while let name = walk.next {
      if walk.count > maxFolders || files.count >= maxFiles {
        isShort = true
        break
      }
      let (listing, beside) = list(folder / name, more, isStamping: isStamping)
      let folders = listing.folders.map { name / $0 }
      walk.advance(into: folders.filter { !ignored.contains($0, isFolder: true) })
      func add(_ file: Path, _ stamp: FileStamp?, to files: inout [File]) {
        let name = name / file
        guard !ignored.contains(name, isFolder: false) else { return }
        files.append(File(path: folder / name, name: name, stamp: stamp))
      }
      for file in listing.files { add(file.name, isStamping ? file.stamp : nil, to: &files) }
      for file in beside { add(file, nil, to: &sidecars) }
    }
    folderCount = walk.count
    // The walk lists all files of a folder before those of the folders in it.
    files.sort { $0.name < $1.name }
    sidecars.sort { $0.name < $1.name }
  }

  /// The sidecars whose texts are not there, sorted by name; looks for the text of each.
  var orphans: [File] { sidecars.filter { Sidecar.isOrphan($0.path) } }

  /// What is in a folder, and the names of sidecars there.
  private mutating func list(
    _ folder: Path,
    _ more: [String],
    isStamping: Bool
  ) -> (listing: Listing, sidecars: [Path]) {
    var listing = Listing()
    var sidecars: [Path] = []
    do throws(ReadingFailure) {
      let reader = try FolderReader(folder, isStamping: isStamping, orOf: more)
      while try reader.readMore(.max, into: &listing) {}
      failures += reader.failures
      sidecars = reader.sidecars
    } catch {
      failures.append("the folder \(folder): \(error.description)")
    }
    listing.sort()
    return (listing, sidecars)
  }
}
