/// The Markdown files in a folder and in the folders in it.
struct MarkdownTree {
  /// In the order of their names, folder by folder.
  private(set) var files: [String] = []
  /// What could not be read, and why: the paths with the reasons.
  private(set) var failures: [String] = []

  /// Looks for the files, and goes on where something cannot be read.
  init(in folder: String) { look(into: folder) }

  private mutating func look(into folder: String) {
    var listing = Listing()
    do throws(ReadingFailure) {
      let reader = try FolderReader(folder)
      while try reader.next(.max, into: &listing) {}
      failures += reader.failures
    } catch {
      failures.append("the folder \(folder): \(error.description)")
    }
    let names = listing.files.map { ($0.name, false) } + listing.folders.map { ($0, true) }
    for (name, isFolder) in names.sorted(by: { $0.0 < $1.0 }) {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder { look(into: path) } else { files.append(path) }
    }
  }
}
