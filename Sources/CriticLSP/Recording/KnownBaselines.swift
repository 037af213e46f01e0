import TrackEngine

/// What is known of the files in a folder of baselines, so that few are read again to find one by its text.
///
/// Others write there, too. But a file is never written to, only replaced by another; and which document it is about, its
/// name says for ever.
struct KnownBaselines {
  private var files: [Path: File] = [:]

  private struct File {
    /// What it says; nil if it is none of ours.
    var baseline: Baseline?
    /// Its state when it was read; nil if another file may look the same.
    var state: FileState?
  }

  /// Notes what a file says.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - baseline: What it says; nil if it is none of ours.
  ///   - state: Its state before it was read, see ``Platform/settledState(of:)``.
  mutating func note(_ name: Path, _ baseline: Baseline?, _ state: FileState?) {
    files[name] = File(baseline: baseline, state: state)
  }

  /// Forgets files that are gone, once they are more than those that are there.
  mutating func keep(only names: [Path]) {
    guard files.count > 2 * names.count else { return }
    let names = Set(names)
    files = files.filter { names.contains($0.key) }
  }

  /// Whether a file need not be read to know that it is not about a text of a document that is gone.
  ///
  /// Its cost is a question to the system, about the file or about the document.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - folder: Its folder.
  ///   - text: The text.
  /// - Returns: False if it has to be read.
  func rulesOut(_ name: Path, in folder: Path, _ text: TextHash) -> Bool {
    guard let file = files[name] else { return false }
    guard let state = file.state else { return file.baseline.map { !$0.isGone } ?? false }
    return file.baseline?.text != text && state == Platform.settledState(of: folder / name)
  }
}

extension Baseline {
  /// Whether there is no file of the document's name.
  var isGone: Bool { document.path.map(Platform.isGone) ?? true }
}
