/// A change of a sidecar that goes with one of its text.
final class SidecarChange: Companion {
  private let sidecar: Sidecar
  /// The state of the sidecar when it was read.
  private var state: FileState?
  private var step = Step.none
  /// What was prepared of it, and the sidecar, which nobody begins to write to meanwhile.
  private var waiting: TemporaryFile?
  private var held: OpenFile?
  /// What was put in its place before the text was replaced, which may be done more than once.
  private var put = Step.none

  private enum Step {
    /// It stays.
    case none
    /// It is made while the marks are still in the text, or before the first change of that.
    case make([UInt8])
    /// It is replaced, and its text stays.
    case replace([UInt8])
    /// It waits until the text is replaced, and is put in the place of the old one then.
    case follow([UInt8])
    /// It goes, when the text holds what it held: it is brought up to that first, if need be.
    case remove(after: [UInt8]?)
  }

  init(of sidecar: Sidecar) {
    self.sidecar = sidecar
  }

  /// Reads the sidecar, about which nothing is planned yet; nil if there is none.
  func begin() throws(Platform.Failure) -> [UInt8]? {
    step = .none
    // One that we have made ourselves was not there.
    if case .make = put { return nil }
    state = FileState(sidecar.place.status)
    return state == nil ? nil : try sidecar.place.contentsIfThere()
  }

  /// Plans what becomes of it.
  ///
  /// - Parameters:
  ///   - old: What it holds; nil if there is none.
  ///   - new: What it is to hold; nil if there is to be none.
  ///   - text: What the text is to hold; nil if that stays.
  func plan(_ old: [UInt8]?, _ new: [UInt8]?, with text: [UInt8]?) {
    switch (old, new) {
    case (nil, nil): step = .none
    case (nil, let new?): step = .make(new)
    case (let old?, nil): step = .remove(after: text == old ? nil : text)
    case (let old?, let new?) where old == new: step = .none
    case (_?, let new?): step = text == nil && !hasPut ? .replace(new) : .follow(new)
    }
  }

  /// Whether something was put beside the text already, which is replaced once more.
  var hasPut: Bool {
    if case .none = put { false } else { true }
  }

  // MARK: - Companion

  var isChanging: Bool {
    if case .none = step { false } else { true }
  }

  func check() throws(Platform.Failure) { try sidecar.place.expectWritable() }

  func prepare() throws(Platform.Failure) -> TemporaryFile? {
    discard()
    switch step {
    case .none, .remove(nil): break
    case .make(let new):
      try expectUnchanged()
      if sidecar.next.status != nil { try sidecar.next.remove() }
      waiting = try sidecar.place.made(new, like: sidecar.text)
    case .replace(let new), .remove(let new?): try prepare(new, for: sidecar.place)
    case .follow(let new): try prepare(new, for: sidecar.next)
    }
    return waiting
  }

  func discard() {
    (waiting, held) = (nil, nil)
  }

  func expectUnchanged() throws(Platform.Failure) {
    guard FileState(sidecar.place.status) == state else {
      throw Platform.Failure(
        description: "\(sidecar.place.path) was changed meanwhile; it is left alone"
      )
    }
  }

  func notePut() {
    put = step
    waiting = nil
    // Our own writing is no change by others.
    state = FileState(sidecar.place.status)
  }

  func cancel() {
    switch put {
    case .none, .replace, .remove: break
    case .make: try? sidecar.place.remove()
    case .follow: try? sidecar.next.remove()
    }
    put = .none
    state = FileState(sidecar.place.status)
    discard()
  }

  func finish() throws(Platform.Failure) {
    switch put {
    case .none, .make, .replace: break
    case .follow: try sidecar.next.rename(to: sidecar.place)
    case .remove:
      // Else another program has saved the text without its marks meanwhile.
      if try sidecar.place.contents().holdsSame(as: sidecar.text.contents()) {
        try sidecar.place.remove()
      }
    }
    put = .none
    held?.releaseWriters()
    discard()
  }

  /// Makes what is to take the place of the sidecar, for whom that is.
  private func prepare(_ new: [UInt8], for place: FilePlace) throws(Platform.Failure) {
    let old = try OpenFile(sidecar.place)
    let file = try TemporaryFile(beside: place, like: old.status, old)
    try file.write(isSafe: true) { output in output.append(new) }
    old.awaitWriters()
    try expectUnchanged()
    (waiting, held) = (file, old)
  }
}
