import TrackEngine

extension Carrying.Obstacle {
  /// The second half of a sentence that says that a mark is not carried.
  var reason: String {
    switch self {
    case .gone: "its text or what was around it has changed"
    case .uncertain: "its place is not certain"
    case .occupied: "other marks are there"
    case .unwritable: "it would not read as a mark there"
    }
  }
}
