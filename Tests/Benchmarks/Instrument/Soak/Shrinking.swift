import TrackEngine

/// Makes a session that drifts smaller: fewer steps, from a later text, in less of it.
struct Shrinking<Writer: SoakWriter>: CustomStringConvertible {
  private var text: [UInt8]
  private var steps: [SoakStep]
  private var what: String
  private var tries = 400

  /// Shrinks a session of steps.
  ///
  /// - Parameters:
  ///   - steps: The session; its last step drifts.
  ///   - texts: Texts that the session can begin with, and the steps that they are before.
  ///   - what: What drifts.
  init(_ steps: [SoakStep], from texts: [(step: Int, text: [UInt8])], _ what: String) {
    self.steps = steps
    self.what = what
    text = texts[0].text
    for (step, text) in texts.reversed() {
      guard let what = Shrinking.drift(text, Array(steps[step...])) else { continue }
      self.steps = Array(steps[step...])
      self.text = text
      self.what = what
      break
    }
    shrinkSteps()
    shrinkText()
    shrinkSteps()
    shrinkText()
  }

  var description: String {
    let list = steps.map { "  \($0)" }.joined(separator: "\n")
    let shown = String(decoding: text, as: UTF8.self).debugDescription
    return "smallest session:\n\(list)\nin \(text.count) bytes: \(shown)\n\(what)"
  }

  /// What drifts when steps are done in a text, and everything is put into marks then.
  private static func drift(_ text: [UInt8], _ steps: [SoakStep]) -> String? {
    var writer = Writer(text)
    do throws(Drift) {
      for step in steps { try writer.perform(step) }
      return nil
    } catch {
      return error.what
    }
  }

  private mutating func takes(_ text: [UInt8], _ steps: [SoakStep]) -> Bool {
    guard tries > 0 else { return false }
    tries -= 1
    guard let what = Shrinking.drift(text, steps) else { return false }
    self.text = text
    self.steps = steps
    self.what = what
    tries += 1
    return true
  }

  private mutating func shrinkSteps() {
    tries = 400
    var size = max(1, steps.count / 2)
    while true {
      var at = 0
      while at < steps.count {
        var fewer = steps
        fewer.removeSubrange(at..<min(steps.count, at + size))
        if !takes(text, fewer) { at += size }
      }
      if size == 1 { return }
      size = max(1, size / 2)
    }
  }

  /// Leaves out stretches of the text, and moves the places of steps after them along.
  private mutating func shrinkText() {
    tries = 400
    var size = max(1, text.count / 2)
    while true {
      var at = 0
      while at < text.count {
        var shorter = text
        let gone = at..<min(text.count, at + size)
        shorter.removeSubrange(gone)
        let clean = (
          Manuscript(reading: Array(text[..<at])).clean.count,
          Manuscript(reading: Array(text[gone])).clean.count
        )
        let moved = steps.map { step in
          guard case .go(let place, let isAfter) = step, place > clean.0 else { return step }
          return SoakStep.go(max(clean.0, place - clean.1), isAfter: isAfter)
        }
        if !takes(shorter, moved) { at += size }
      }
      if size == 1 { return }
      size = max(1, size / 2)
    }
  }
}
