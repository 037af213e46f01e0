import CLibrary

extension Platform {
  /// The name of the user whose process this is: the full name, or else the one to log in with; nil if the system
  /// knows none.
  static var userName: String? {
    guard let entry = getpwuid(getuid()) else { return environment("USER") }
    let full = entry.pointee.pw_gecos.map { String(cString: $0) }?.prefix { $0 != "," } ?? ""
    let name = full.isEmpty ? String(cString: entry.pointee.pw_name) : String(full)
    return name.isEmpty ? nil : name
  }
}
