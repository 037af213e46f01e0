import TrackEngine

/// The file with the record of a document whose marks are beside its text, as it was found.
enum RecordFile: Equatable {
  case text([UInt8])
  /// It is there and cannot be read; says why.
  case unreadable(String)

  /// What to write.
  struct Writing: Equatable {
    let document: DocumentKey
    let text: [UInt8]
    /// The hash of the file as it was read or written last; nil if there was none.
    let known: TextHash?
  }
}

extension Path {
  /// The file with the record of this one.
  var record: Path { self + ".critic" }
}

extension EffectRunner {
  /// Finds the record that lies beside a document; nil if there is none.
  static func record(of key: DocumentKey) -> RecordFile? {
    guard let path = recordPath(of: key), !Platform.isGone(path) else { return nil }
    do throws(Platform.Failure) {
      return .text(text(try Platform.contents(of: path)))
    } catch {
      return .unreadable(error.description)
    }
  }

  /// Where the record of a document is: beside the file that its path leads to.
  private static func recordPath(of key: DocumentKey) -> Path? {
    key.path.map { Platform.realPath(of: $0) ?? $0 }?.record
  }

  /// Writes a record, unless another program has changed it.
  static func write(_ record: RecordFile.Writing) -> EffectOutcome.Result {
    guard let document = record.document.path, let path = recordPath(of: record.document) else {
      return .gone
    }
    do throws(Platform.Failure) {
      let isGone = Platform.isGone(path)
      let found = isGone ? nil : TextHash(of: text(try Platform.contents(of: path)))
      guard found == record.known else {
        return .failure(isGone ? "it is gone" : "another program has changed it")
      }
      let mode = Platform.mode(of: document) ?? 0o666
      try Platform.replace(path, isSafe: true, mode: mode) { $0.append(record.text) }
      return .done
    } catch {
      return .failure(error.description)
    }
  }
}
