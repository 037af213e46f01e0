/// Finds the name of who writes in a folder: git's `user.name` there, else that of the system's user.
enum WriterName {
  /// The name; nil if neither git nor the system knows one.
  static func find(in folder: Path) -> String? {
    let name = gitSetting("user.name", in: folder)
    return name.isEmpty ? Platform.userName : name
  }
}
