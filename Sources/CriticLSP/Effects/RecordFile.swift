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
    guard let path = key.path, let record = (try? FilePlace(path))?.record else { return nil }
    do throws(Platform.Failure) {
      return .text(text(try record.contents()))
    } catch {
      return .unreadable(error.description)
    }
  }

  /// Writes a record, unless another program has changed it.
  static func write(_ record: RecordFile.Writing) -> EffectOutcome.Result {
    guard let path = record.document.path else { return .gone }
    do throws(Platform.Failure) {
      let place = try FilePlace(path)
      switch (place.record, record.known) {
      case (nil, nil): try place.writeRecord(record.text)
      case (let file?, let known?):
        _ = try file.change { (bytes) throws(Platform.Failure) in
          guard TextHash(of: text(Array(bytes))) == known else {
            throw Platform.Failure(description: "another program has changed it")
          }
          return { output in output.append(record.text) }
        }
      case (nil, _?): return .failure("it is gone")
      case (_?, nil): return .failure("another program has made one")
      }
      return .done
    } catch {
      return .failure(error.description)
    }
  }
}
