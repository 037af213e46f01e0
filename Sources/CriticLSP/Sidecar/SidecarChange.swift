/// A change of a sidecar that goes with one of its text.
final class SidecarChange: Companion {
  private let sidecar: Sidecar
  /// The state of the sidecar when it was read.
  private var state: FileState?
  private var step = Step.none
  /// What was made before the text was replaced, which may be done more than once.
  private var prepared: FilePlace?

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
    guard prepared !== sidecar.place else { return nil }
    state = FileState(sidecar.place.status)
    return state == nil ? nil : try sidecar.place.contents()
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
    case (_?, let new?): step = text == nil ? .replace(new) : .follow(new)
    }
  }

  // MARK: - Companion

  var isChanging: Bool {
    if case .none = step { false } else { true }
  }

  func check() throws(Platform.Failure) { try sidecar.place.expectWritable() }

  func prepare() throws(Platform.Failure) {
    switch step {
    case .none, .remove(nil): break
    case .make(let new):
      if prepared == nil { try expectUnchanged() }
      try sidecar.place.writeNew(new, like: sidecar.text)
      prepared = sidecar.place
    case .replace(let new), .remove(let new?): try write(new, to: sidecar.place)
    case .follow(let new):
      try write(new, to: sidecar.next)
      prepared = sidecar.next
    }
  }

  func cancel() {
    try? prepared?.remove()
    prepared = nil
  }

  func finish() throws(Platform.Failure) {
    switch step {
    case .none, .make, .replace: break
    case .follow: try sidecar.next.rename(to: sidecar.place)
    case .remove: try sidecar.place.remove()
    }
  }

  /// Writes what is to take the place of the sidecar, in one step, for whom that is.
  private func write(_ new: [UInt8], to place: FilePlace) throws(Platform.Failure) {
    let old = try OpenFile(sidecar.place)
    let file = try TemporaryFile(beside: place, like: old.status, old)
    try file.write(isSafe: true) { output in output.append(new) }
    old.awaitWriters()
    try expectUnchanged()
    try file.move()
    old.releaseWriters()
    // Our own writing is no change by others.
    if place === sidecar.place { state = FileState(place.status) }
  }

  private func expectUnchanged() throws(Platform.Failure) {
    guard FileState(sidecar.place.status) == state else {
      throw Platform.Failure(
        description: "\(sidecar.place.path) was changed meanwhile; it is left alone"
      )
    }
  }
}
