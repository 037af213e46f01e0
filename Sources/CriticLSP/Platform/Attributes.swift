import CLibrary

extension Platform {
  /// Gives a file the access rules and the extended attributes of another.
  ///
  /// - Parameters:
  ///   - old: The file that has them.
  ///   - new: The file that gets them.
  ///   - path: The file's path, for messages.
  /// - Returns: Whether the lists of access rules are the same.
  /// - Throws: ``Failure`` if an attribute of the user's cannot be kept.
  static func copyAttributes(
    of old: Int32,
    to new: Int32,
    _ path: Path
  ) throws(Failure) -> Bool {
    #if canImport(Darwin)
      return fcopyfile(old, new, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)) == 0
    #else
      let names = attributes(of: old)
      var hasRules = true
      if !names.contains(accessRules) {
        // A folder can hand down a list to what is made in it.
        hasRules =
          accessRules.withCString { fremovexattr(new, $0) } == 0 || errno == ENODATA
          || errno == EOPNOTSUPP
      }
      for name in names {
        let value = bytes { buffer, size in name.withCString { fgetxattr(old, $0, buffer, size) } }
        let isSet = name.withCString { fsetxattr(new, $0, value, value.count, 0) } == 0
        if name == accessRules { hasRules = isSet }
        // Labels and capabilities are the system's, which gives the new file its own.
        if !isSet, name.bytes.starts(with: "user.".utf8) {
          throw failure("cannot keep the attribute \(name) of \(path)")
        }
      }
      return hasRules
    #endif
  }

  #if !canImport(Darwin)
    private static let accessRules = Path("system.posix_acl_access")

    private static func attributes(of file: Int32) -> [Path] {
      bytes { flistxattr(file, $0, $1) }.split(separator: 0).compactMap { Path($0) }
    }

    /// What a call writes that tells its length when it is given no room; empty if it fails.
    private static func bytes(_ call: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8] {
      let count = call(nil, 0)
      guard count > 0 else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
        length = max(0, call(buffer.baseAddress, count))
      }
    }
  #endif
}
