/// Finds the name of who writes in a folder: git's `user.name` there, else that of the system's user.
enum WriterName {
  /// The name; nil if neither git nor the system knows one.
  static func find(in folder: Path) -> String? {
    let told = try? git(["-C", folder, "config", "-z", "user.name"])
    let name = String(decoding: told?.records.last ?? [], as: UTF8.self)
    return name.isEmpty ? Platform.userName : name
  }
}
