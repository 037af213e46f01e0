/// The Markdown files in a folder and in the folders in it.
struct MarkdownTree {
  /// In the order of their names, folder by folder.
  private(set) var files: [File] = []
  /// What could not be read, and why: the paths with the reasons.
  private(set) var failures: [String] = []

  /// A file by its path, and by its name from the folder on.
  struct File {
    var path: String
    var name: String
  }

  /// Looks for the files, and goes on where something cannot be read.
  init(in folder: String) { look(into: folder, "") }

  /// Looks for the files in a folder, which are told with `prefix` before their names.
  private mutating func look(into folder: String, _ prefix: String) {
    var listing = Listing()
    do throws(ReadingFailure) {
      let reader = try FolderReader(folder, isStamping: false)
      while try reader.next(.max, into: &listing) {}
      failures += reader.failures
    } catch {
      failures.append("the folder \(folder): \(error.description)")
    }
    let names = listing.files.map { ($0.name, false) } + listing.folders.map { ($0, true) }
    for (name, isFolder) in names.sorted(by: { $0.0 < $1.0 }) {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder {
        look(into: path, "\(prefix)\(name)/")
      } else {
        files.append(File(path: path, name: prefix + name))
      }
    }
  }
}
