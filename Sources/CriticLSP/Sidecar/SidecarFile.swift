import TrackEngine

/// A file with the marks of a document that the editor shows without them, as it was found.
enum SidecarFile: Equatable {
  case text([UInt8])
  /// It is there and cannot be read; says why.
  case unreadable(String)

  /// What it holds; nil if it cannot be read.
  var bytes: [UInt8]? {
    guard case .text(let bytes) = self else { return nil }
    return bytes
  }

  /// What to write.
  struct Writing: Equatable {
    let document: DocumentKey
    /// `.beside` for the sidecar, `.file` for the file itself.
    let place: MarksPlace
    /// The text with its marks; nil to remove the sidecar.
    let text: [UInt8]?
    /// The hash of the file as it was read or written last, in the line ends of `text`; nil if there was none.
    let known: TextHash?

    /// Whether a file is as it was read or written last; nil stands for none.
    func isKnown(_ bytes: [UInt8]?) -> Bool {
      guard let bytes, let known else { return bytes == nil && self.known == nil }
      // To be removed it can be known in any line ends.
      let forms = text.map { [$0] } ?? ["", "\n", "\r\n"].map { [UInt8]($0.utf8) }
      return forms.contains { TextHash(of: bytes.withLineEnds(of: $0)) == known }
    }
  }
}

extension EffectRunner {
  /// Finds the sidecar of a document; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - most: The length in bytes up to which it is read; nil if the document has been opened, and it is read in any
  ///     case.
  /// - Returns: The sidecar.
  static func sidecar(of key: DocumentKey, atMost most: Int? = nil) -> SidecarFile? {
    // Of thousands of files few have one, and no folder has to be opened to see that.
    guard let path = key.path, let target = try? Platform.destination(of: path),
      !Platform.isGone(target.sidecar), let sidecar = place(of: key)?.sidecar
    else { return nil }
    if let most, let stamp = sidecar.place.stamp, stamp.size > most {
      return .unreadable("It is longer than \(most >> 20) MB")
    }
    if most == nil { sidecar.recover() }
    return found { () throws(Platform.Failure) in try sidecar.contents() }
  }

  /// Finds the text of a document's file, which has its marks; nil if there is no file.
  static func marks(of key: DocumentKey) -> SidecarFile? {
    guard let place = place(of: key), place.status != nil else { return nil }
    return found { () throws(Platform.Failure) in try place.contents() }
  }

  private static func place(of key: DocumentKey) -> FilePlace? {
    key.path.flatMap { try? FilePlace($0) }
  }

  private static func found(
    _ read: () throws(Platform.Failure) -> [UInt8]?
  ) -> SidecarFile? {
    do throws(Platform.Failure) {
      return try read().map { .text(text($0)) }
    } catch {
      return .unreadable(error.description)
    }
  }

  /// Has the sidecar of a text follow that to its new name.
  static func moveSidecar(from old: Path, to new: Path) -> EffectOutcome.Result {
    // Of thousands of files few have one, and no folder has to be opened to see that.
    guard !Platform.isGone(old.sidecar) else { return .gone }
    do throws(Platform.Failure) {
      let isMoved = try Sidecar(of: FilePlace(old)).move(to: Sidecar(of: FilePlace(new)))
      return isMoved ? .done : .gone
    } catch {
      return .failure(error.description)
    }
  }

  /// Whether the sidecar of a text that is gone is still there.
  static func findOrphan(of path: Path) -> EffectOutcome.Result {
    Platform.isGone(path) && !Platform.isGone(path.sidecar) ? .done : .gone
  }

  /// Writes or removes the marks of a document, unless another program has changed them.
  static func write(_ writing: SidecarFile.Writing) -> EffectOutcome.Result {
    guard let place = place(of: writing.document) else { return .gone }
    func isKnown(_ bytes: [UInt8]?) -> Bool { writing.isKnown(bytes.map(text)) }
    do throws(Platform.Failure) {
      if writing.place == .file {
        try place.write(writing.text ?? [], over: isKnown)
      } else {
        try Sidecar(of: place).write(writing.text, over: isKnown)
      }
      return .done
    } catch {
      return .failure(error.description)
    }
  }
}

extension FilePlace {
  /// Writes the file, which has its marks, unless another program has changed it; see ``Sidecar/write(_:over:)``.
  fileprivate func write(
    _ new: [UInt8],
    over isKnown: ([UInt8]?) -> Bool
  ) throws(Platform.Failure) {
    guard status != nil else {
      guard isKnown(nil) else { throw Platform.Failure(description: "it is gone") }
      return try writeNew(new, like: self)
    }
    _ = try change(within: FilePlace.serverPatience) { (bytes) throws(Platform.Failure) in
      let old = Array(bytes)
      guard isKnown(old) else {
        throw Platform.Failure(description: "another program has changed it")
      }
      return { output in output.append(new.withLineEnds(of: old).withByteOrderMark(of: old)) }
    }
  }
}
