import TrackEngine

/// Something for the event loop to do, since the server itself does no I/O; see `Server.effect`.
enum Effect: Equatable {
  /// Ask git what it ignores in a folder.
  case findIgnored(Path)
  /// List the folders and Markdown files in a folder.
  case list(Path)
  /// Read a file.
  case read(Path)
  /// Read a file to show its text, if it really lies in a folder, whatever links say; without one, if it is there.
  case readContent(Path, within: Path?)
  /// Send an event when no message waits, for work that is too long for one turn.
  case idle
  /// Find what is known of a document that has been opened with a text, and the record beside it.
  case recall(DocumentKey, TextHash)
  /// Find the marks of a document in its file, since the editor shows it without them.
  case findMarks(DocumentKey)
  /// Keep what is known of a document.
  case keep(Kept)
  /// Write the record of a document that the editor shows without marks.
  case writeRecord(SidecarFile.Writing)
  /// Move the sidecar of a text that has been renamed.
  case moveSidecar(from: Path, to: Path)
  /// Look whether the sidecar of a text that was deleted is still there.
  case findOrphan(Path)
  /// Find who writes in a folder.
  case nameWriter(Path)
  /// Compare the text of a document with an earlier original.
  case compare(Comparing)
  /// Read the marks beside a document.
  indirect case readBeside(ReadingBeside)
  /// Record edits of a text with its marks beside it.
  indirect case recordBeside(RecordingBeside)
  /// Look at a document's file: whether it is another one than that of a stamp.
  case look(DocumentKey, FileStamp?)

  /// What to keep of a document.
  struct Kept: Equatable {
    var baseline: Baseline
    var isOpen: Bool
    /// The original text; nil to leave what was kept.
    var original: [UInt8]?
  }

  /// Whether it is carried out before anything is sent: what is remembered decides about the document, and what is
  /// said to be kept is kept by then.
  var isUrgent: Bool {
    switch self {
    case .recall, .findMarks, .keep, .writeRecord, .moveSidecar, .nameWriter: true
    case .findIgnored, .list, .read, .readContent, .idle, .look, .findOrphan, .compare, .readBeside,
      .recordBeside:
      false
    }
  }
}

extension Effect {
  /// Whether events wait until it is done; see ``HeldEvents``.
  var isHolding: Bool {
    switch self {
    case .readBeside, .recordBeside: true
    default: false
    }
  }
}

extension Effect: CustomStringConvertible {
  /// The effect in words.
  var description: String {
    switch self {
    case .findIgnored(let path): "Asking git what it ignores in \(path)"
    case .list(let path), .read(let path), .readContent(let path, _): "Reading \(path)"
    case .nameWriter(let path): "Finding who writes in \(path)"
    case .idle: "Continuing with the workspace"
    case .recall(let key, _): "Recalling \(key.uri)"
    case .findMarks(let key): "Finding the marks of \(key.uri)"
    case .keep(let kept): "Keeping what is known of \(kept.baseline.document.uri)"
    case .writeRecord(let record): "Writing the record of \(record.document.uri)"
    case .moveSidecar(let old, let new): "Moving what lies beside \(old) to \(new)"
    case .findOrphan(let path): "Looking for \(path.sidecar)"
    case .compare(let comparing): "Comparing \(comparing.document.uri)"
    case .readBeside(let reading): "Reading the marks beside \(reading.document.uri)"
    case .recordBeside(let recording): "Recording what changed in \(recording.document.uri)"
    case .look(let key, _): "Looking at \(key.uri)"
    }
  }
}

/// The outcome of an effect.
struct EffectOutcome: Equatable {
  let effect: Effect
  let result: Result

  enum Result: Equatable {
    case ignored(IgnoredPaths)
    case listing(Listing)
    /// Valid UTF-8, without a byte order mark: as an editor would send it; and the record that lies beside the file.
    case text([UInt8], SidecarFile? = nil)
    /// What is known of a document, and the record that lies beside it; nil if there is none.
    case found(BaselineFolder.Found?, SidecarFile? = nil)
    /// A file's stamp, and the hash of its text if it has another stamp than it was asked for.
    case stamp(FileStamp, TextHash?)
    /// What was done to a text since its original was another; nil if that one does not lead to it.
    case missed(MissedChanges?)
    /// Where the marks of a text are; nil in a transcript.
    indirect case marks(SidecarReading?)
    /// What came of edits of a text with its marks beside it; nil in a transcript.
    indirect case recorded(RecordedBeside?)
    /// Who writes in a folder; nil if nobody is named.
    case name(String?)
    /// It is done.
    case done
    /// The file or folder no longer exists.
    case gone
    /// The effect failed; says why.
    case failure(String)
    /// No message waits.
    case idle
  }
}

/// The Markdown files and the folders in a folder.
struct Listing: Equatable {
  /// The names of the folders in it.
  var folders: [Path] = []
  var files: [File] = []

  /// Sorts both by name.
  mutating func sort() {
    folders.sort()
    files.sort { $0.name < $1.name }
  }

  /// A Markdown file.
  struct File: Equatable {
    var name: Path
    var stamp: FileStamp
    /// The stamp of the record that lies beside it; nil if there is none.
    var record: FileStamp?
  }
}

/// Size and modification time, which tell whether a file has changed without reading it.
struct FileStamp: Equatable {
  /// In bytes.
  var size: Int
  /// In nanoseconds since 1970.
  var modified: Int
}
