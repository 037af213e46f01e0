import TrackEngine

/// The file with the record of a document that the editor shows without marks, as it was found.
enum RecordFile: Equatable {
  case text([UInt8])
  /// It is there and cannot be read; says why.
  case unreadable(String)

  /// The record in the line ends of the text that it belongs to; nil if it cannot be read.
  func text(inLineEndsOf text: [UInt8]) -> Text? {
    guard case .text(let bytes) = self else { return nil }
    return Text(bytes.withLineEnds(of: text))
  }

  /// What to write.
  struct Writing: Equatable {
    let document: DocumentKey
    /// `.beside` for the record beside the file, `.file` for the file itself.
    let place: MarksPlace
    /// The record; nil to remove it.
    let text: [UInt8]?
    /// The hash of the file as it was read or written last, in the line ends of the record; nil if there was none.
    let known: TextHash?
  }
}

extension Path {
  /// The file with the record of this one.
  var record: Path { self + ".critic" }

  /// The file whose record this is, by its name; nil if it is none.
  var recorded: Path? {
    let end = ".critic".utf8
    guard bytes.count > end.count, bytes.suffix(end.count).elementsEqual(end) else { return nil }
    return Path(bytes.dropLast(end.count))
  }
}

extension EffectRunner {
  /// Finds the record that lies beside a document; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - most: The length in bytes up to which it is read; nil to read it in any case.
  /// - Returns: The record.
  static func record(of key: DocumentKey, atMost most: Int? = nil) -> RecordFile? {
    // Of thousands of files few have one, and no folder has to be opened to see that.
    guard let path = key.path, let target = try? Platform.destination(of: path),
      !Platform.isGone(target.record), let place = place(of: key)?.record
    else { return nil }
    if let most, let stamp = place.stamp, stamp.size > most {
      return .unreadable("It is longer than \(most >> 20) MB")
    }
    return found(at: place)
  }

  /// Finds the text of a document's file, which has its marks; nil if there is no file.
  static func marks(of key: DocumentKey) -> RecordFile? {
    let place = place(of: key)
    return found(at: place?.status == nil ? nil : place)
  }

  private static func place(of key: DocumentKey) -> FilePlace? {
    key.path.flatMap { try? FilePlace($0) }
  }

  private static func found(at place: FilePlace?) -> RecordFile? {
    guard let place else { return nil }
    do throws(Platform.Failure) {
      return .text(text(try place.contents()))
    } catch {
      return .unreadable(error.description)
    }
  }

  /// Writes or removes a record, unless another program has changed it.
  static func write(_ record: RecordFile.Writing) -> EffectOutcome.Result {
    guard let path = record.document.path else { return .gone }
    do throws(Platform.Failure) {
      let draft = try FilePlace(path)
      let file = record.place == .file ? (draft.status == nil ? nil : draft) : draft.record
      switch (file, record.text, record.known) {
      case (nil, nil, _): break
      case (nil, let text?, nil) where record.place == .file: try draft.writeNew(text, like: draft)
      case (nil, let text?, nil): try draft.writeRecord(text)
      case (nil, _?, _?): return .failure("it is gone")
      case (_?, _, nil): return .failure("another program has made one")
      case (let file?, nil, let known?):
        let old = try file.contents()
        guard [[], Array("\n".utf8)].contains(where: { hash(of: old, like: $0) == known }) else {
          return .failure("another program has changed it")
        }
        try file.remove()
      case (let file?, let text?, let known?):
        _ = try file.change { (bytes) throws(Platform.Failure) in
          let old = Array(bytes)
          guard hash(of: old, like: text) == known else {
            throw Platform.Failure(description: "another program has changed it")
          }
          let new = text.withLineEnds(of: old).withByteOrderMark(of: old)
          return { output in output.append(new) }
        }
      }
      return .done
    } catch {
      return .failure(error.description)
    }
  }

  /// The hash of a file, in the line ends of a text that is to take its place.
  private static func hash(of bytes: [UInt8], like other: [UInt8]) -> TextHash {
    TextHash(of: text(bytes).withLineEnds(of: other))
  }
}
