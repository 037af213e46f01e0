/// The Markdown files in a folder and in the folders in it.
struct MarkdownTree {
  /// Sorted by name, folder by folder.
  private(set) var files: [File] = []
  /// Sidecars, whether their texts are there or not; sorted likewise.
  private var sidecars: [File] = []
  /// Paths that could not be read, with the reasons.
  private(set) var failures: [String] = []

  /// A file: its path, and the path relative to the folder.
  struct File {
    var path: Path
    var name: Path
  }

  /// Finds the files; continues if something cannot be read.
  ///
  /// - Parameters:
  ///   - folder: Where to look.
  ///   - ignored: The files and folders that are left out, by their paths from the folder on; a folder's ends in a
  ///     slash.
  ///   - more: The extensions of files that are found beside Markdown.
  init(in folder: Path, without ignored: Set<Path> = [], orOf more: [String] = []) {
    var walk = FolderWalk([""])
    while let name = walk.next {
      let (listing, beside) = list(folder / name, more)
      walk.advance(into: listing.folders.map { name / $0 }.filter { !ignored.contains($0 + "/") })
      func found(_ names: [Path]) -> [File] {
        names.map { name / $0 }.filter { !ignored.contains($0) }
          .map { File(path: folder / $0, name: $0) }
      }
      files += found(listing.files.map(\.name))
      sidecars += found(beside)
    }
    // The walk lists all files of a folder before those of the folders in it.
    files.sort { $0.name < $1.name }
    sidecars.sort { $0.name < $1.name }
  }

  /// The sidecars whose texts are not there, sorted by name; looks for the text of each.
  var orphans: [File] { sidecars.filter { Sidecar.isOrphan($0.path) } }

  /// What is in a folder, and the names of sidecars there.
  private mutating func list(
    _ folder: Path,
    _ more: [String]
  ) -> (listing: Listing, sidecars: [Path]) {
    var listing = Listing()
    var sidecars: [Path] = []
    do throws(ReadingFailure) {
      let reader = try FolderReader(folder, isStamping: false, orOf: more)
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
