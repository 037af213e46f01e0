/// LibreOffice, which makes Word documents of its own and the other way round.
///
/// It is run without windows, on a copy in a folder that is removed, with a profile of its own: so neither its settings nor one
/// that is open matter.
enum LibreOffice {
  /// A format that it reads and writes, by its extension.
  enum Format: String {
    case docx
    case odt

    /// What it calls the way in which it writes the format.
    fileprivate var filter: String {
      switch self {
      case .docx: "MS Word 2007 XML"
      case .odt: "writer8"
      }
    }

    /// Whether there are formulas in a file of the format, which LibreOffice leaves out where a part of it is not installed.
    fileprivate func hasFormulas(_ document: [UInt8]) -> Bool {
      guard let archive = try? ZipArchive(document) else { return false }
      let (names, sign) =
        switch self {
        case .docx:
          (archive.names.filter { $0.hasPrefix("word/") && $0.hasSuffix(".xml") }, "<m:oMath")
        case .odt: (["META-INF/manifest.xml"], "application/vnd.oasis.opendocument.formula")
        }
      return names.contains { name in
        let part = (try? archive.contents(of: name)) ?? []
        return part.firstRange(of: Array(sign.utf8)) != nil
      }
    }
  }

  /// A document in another format, with its formulas.
  ///
  /// - Parameters:
  ///   - document: The bytes of its file.
  ///   - format: The format that it is in.
  ///   - other: The format that it is to have.
  /// - Returns: The bytes of a file.
  /// - Throws: `Platform.Failure` if LibreOffice is absent, with how to install it, or cannot read the document.
  static func converted(
    _ document: [UInt8],
    from format: Format,
    to other: Format
  ) throws(Platform.Failure) -> [UInt8] {
    guard let program else { throw Platform.Failure(description: remedy) }
    let folder = try TemporaryFolder()
    let profile = folder.path / "profile"
    let source = folder.path / "document" + ending(format)
    let target = folder.path / "made/document" + ending(other)
    try write(Array(settings.utf8), to: profile / "user/registrymodifications.xcu")
    try write(document, to: source)
    let command: [Path] = [
      program, argument("-env:UserInstallation=\(DocumentKey.file(profile).uri)"), "--headless",
      "--norestore", "--convert-to", argument("\(other.rawValue):\(other.filter)"), "--outdir",
      target.folder, source,
    ]
    // One at a time, for it takes some hundred megabytes.
    let outcome = alone.with { _ in
      Result { () throws(Platform.Failure) in try Platform.run(command, in: folder) }
    }
    _ = try outcome.get()
    // It ends well whatever happens.
    guard Platform.length(of: target) != nil else {
      throw Platform.Failure(description: "LibreOffice cannot read it")
    }
    let made = try Platform.contents(of: target)
    guard !format.hasFormulas(document) || other.hasFormulas(made) else {
      throw Platform.Failure(
        description:
          "its formulas would be lost: LibreOffice Math is not installed (apt install libreoffice-math)"
      )
    }
    return made
  }

  private static func ending(_ format: Format) -> Path { argument(".\(format.rawValue)") }

  private static func argument(_ text: String) -> Path { Path(text.utf8) ?? "" }

  private static func write(_ bytes: [UInt8], to path: Path) throws(Platform.Failure) {
    try Platform.replace(path, isSafe: false) { $0.append(bytes) }
  }

  private static let alone = Guarded(())

  /// Its name, found out once; nil if it is not there.
  private static let program: Path? = {
    let names: [Path] = [
      "soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    ]
    return names.first { (try? Platform.run([$0, "--version"])) != nil }
  }()

  private static let remedy =
    "LibreOffice is not installed, which .odt needs. Install it with your package manager (apt install libreoffice-writer,"
    + " brew install --cask libreoffice), or from https://www.libreoffice.org."

  /// The settings of its profile: no macro runs, and nothing is fetched that a document only links to.
  private static let settings: String = {
    let scripting = "org.openoffice.Office.Common/Security/Scripting"
    let settings = [
      (scripting, "DisableMacrosExecution", "true"), (scripting, "MacroSecurityLevel", "3"),
      (scripting, "BlockUntrustedRefererLinks", "true"),
      (scripting, "DisableActiveContent", "true"),
      ("org.openoffice.Office.Writer/Content/Update", "Link", "0"),
    ]
    let items = settings.map { path, name, value in
      "<item oor:path=\"/\(path)\"><prop oor:name=\"\(name)\" oor:op=\"fuse\"><value>\(value)</value></prop></item>"
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\">\(items.joined())</oor:items>\n"
  }()
}
