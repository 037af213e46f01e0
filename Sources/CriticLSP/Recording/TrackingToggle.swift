extension Server {
  /// Turns tracking on or off; before it is turned off, pending changes are put into marks.
  func setTracking(_ isOn: Bool, of document: Document) {
    if !isOn { document.record.forgetLost() }
    guard document.postponeTracking(isOn, at: now) else { return }
    if !isOn, document.step(.toggle) == .markAndToggle { mark(document, isForced: true) }
    document.changeTrackingIfDone()
  }
}
