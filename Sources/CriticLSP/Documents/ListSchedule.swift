/// When a document's list of changes is told: published, or pulled again; times are in milliseconds.
///
/// After an edit of the user's it waits for a pause: here until it is published, or else with the answer to a client
/// that pulls diagnostics.
struct ListSchedule {
  /// When to publish the list.
  private(set) var publishAt: Int?
  /// Until when an answer waits for the user to pause.
  private(set) var quietAt: Int?

  /// How long after the last key the list is told.
  static let delay = 200

  /// How much longer a long list waits: a key pressed while it is made has to wait for it.
  private static func delay(of entries: Int) -> Int { entries / 100 }

  /// Has the list published; one with many entries a little later.
  mutating func publish(at time: Int, entries: Int = 0) {
    publishAt = time + ListSchedule.delay(of: entries)
  }

  /// Notes an edit of the user's in a document with so many entries.
  mutating func noteEdit(at now: Int, entries: Int, isPulled: Bool) {
    let time = now + ListSchedule.delay + ListSchedule.delay(of: entries)
    if isPulled { quietAt = time } else { publishAt = time }
  }

  /// Notes that an edit of ours has landed.
  mutating func noteLanding(at now: Int, entries: Int) {
    publish(at: now, entries: entries)
    quietAt = nil
  }

  /// Ends what has waited long enough; returns whether that is the list itself.
  mutating func takeDue(at now: Int) -> Bool {
    if let at = quietAt, at <= now { quietAt = nil }
    guard let at = publishAt, at <= now else { return false }
    publishAt = nil
    return true
  }
}
