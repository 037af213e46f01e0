import TrackEngine

extension Server {
  /// Turns tracking on or off; before it is turned off, pending changes are put into marks.
  func setTracking(_ isOn: Bool, of document: Document) {
    document.wantsTracking = isOn == document.tracker.isTracking ? nil : isOn
    document.publishAt = now
    guard document.wantsTracking != nil else { return }
    if !isOn, document.step(.toggle) == .markAndToggle { mark(document, isForced: true) }
    changeTrackingIfDone(document)
  }

  /// Turns tracking on or off if that was asked for and nothing is in the way.
  func changeTrackingIfDone(_ document: Document) {
    guard let isOn = document.wantsTracking, document.standing.inFlightEdit == nil else { return }
    guard isOn || document.tracker.isSettled else { return }
    document.wantsTracking = nil
    document.tracker.setTracking(isOn)
    // The reports in the log undo to states of the tracker before this.
    document.log = []
  }
}
