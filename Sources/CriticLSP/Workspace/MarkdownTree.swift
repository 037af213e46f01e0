/// The Markdown files in a folder and in the folders in it.
struct MarkdownTree {
  /// Sorted by name, folder by folder.
  private(set) var files: [File] = []
  /// Paths that could not be read, with the reasons.
  private(set) var failures: [String] = []

  /// A file: its path, and the path relative to the folder.
  struct File {
    var path: String
    var name: String
  }

  /// Finds the files; continues if something cannot be read.
  ///
  /// - Parameters:
  ///   - folder: Where to look.
  ///   - ignored: The files and folders that are left out, by their paths from the folder on; a folder's ends in a
  ///     slash.
  init(in folder: String, without ignored: Set<String> = []) {
    var walk = FolderWalk([folder])
    let start = MarkdownTree.path("", in: folder)
    while let folder = walk.next {
      let listing = list(folder)
      let folders = listing.folders.map { MarkdownTree.path($0, in: folder) }
      walk.goOn(
        into: folders.filter { !ignored.contains(MarkdownTree.name($0, after: start) + "/") }
      )
      for file in listing.files {
        let path = MarkdownTree.path(file.name, in: folder)
        let name = MarkdownTree.name(path, after: start)
        if !ignored.contains(name) { files.append(File(path: path, name: name)) }
      }
    }
    // The walk lists all files of a folder before those of the folders in it.
    files = files.map { ($0, MarkdownTree.parts(of: $0.name)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1, by: MarkdownTree.precedes) }.map(\.0)
  }

  private mutating func list(_ folder: String) -> Listing {
    var listing = Listing()
    do throws(ReadingFailure) {
      let reader = try FolderReader(folder, isStamping: false)
      while try reader.readMore(.max, into: &listing) {}
      failures += reader.failures
    } catch {
      failures.append("the folder \(folder): \(error.description)")
    }
    listing.sort()
    return listing
  }

  private static func path(_ name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  // By bytes, because a name can begin with a combining character, which would join the slash before it,
  // and because names that are canonically equivalent in Unicode can be different files.

  private static func name(_ path: String, after start: String) -> String {
    String(path[path.utf8.index(path.startIndex, offsetBy: start.utf8.count)...])
  }

  private static func parts(of name: String) -> [Substring] {
    name.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }

  private static func precedes(_ part: Substring, _ other: Substring) -> Bool {
    part < other || part == other && part.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
