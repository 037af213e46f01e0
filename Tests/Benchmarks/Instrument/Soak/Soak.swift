import TrackEngine

/// Types many keys and compares what comes of it with a plain model; says the smallest session that
/// drifts.
struct Soak {
  private struct Checkpoint {
    var step: Int
    var text: [UInt8]
  }

  private(set) var keys = 0
  private var slowest = (time: 0, length: 0)
  private var checks = 0

  /// Types `keys` keys in documents of several kinds.
  ///
  /// - Parameters:
  ///   - keys: How many keys in all.
  ///   - seed: What the first document comes from; the next one takes the next number.
  /// - Throws: What drifted.
  static func run(keys: Int, seed: UInt64) throws {
    var soak = Soak()
    var seed = seed
    let start = Clock.now
    while soak.keys < keys {
      try soak.session(seed, keys: min(60_000, keys - soak.keys))
      seed += 1
    }
    let seconds = (Clock.now - start) / 1_000_000_000
    let line =
      "soak: \(soak.keys) keys without drift in \(seconds) s, looked at whole \(soak.checks) times;"
      + " slowest marking \(soak.slowest.time / 1_000_000) ms in \(soak.slowest.length) bytes\n"
    try File.write(Array(line.utf8), to: 1)
  }

  /// A session in a document of its own.
  private mutating func session(_ seed: UInt64, keys: Int) throws {
    var random = Random(seed: seed)
    let length = [200_000, 2_000, 20_000][Int(seed % 3)]
    let habits = SoakHabits(
      pause: [300, 30, 2000][Int(seed / 3 % 3)],
      words: Prose.english.split(separator: " ").prefix(60).map(String.init)
    )
    let style = Prose.Style(
      spacing: seed % 2 == 0 ? 290 : 2_000,
      words: seed % 5 == 4 ? Prose.international : Prose.english,
      newline: seed % 7 == 6 ? "\r\n" : "\n"
    )
    let text = Prose(style, length: length, seed: seed).markup
    var typist = Typist(text)
    var steps: [SoakStep] = []
    var checkpoints = [Checkpoint(step: 0, text: text)]
    let end = self.keys + keys
    while self.keys < end {
      // The text stays about as long as it was.
      let isLong = typist.tracker.buffer.count > 2 * length + 1000
      let step =
        isLong
        ? SoakStep.resolveAll(accepts: typist.manuscript.clean.count < 2 * length)
        : habits.step(&random, in: typist.manuscript.clean.count)
      steps.append(step)
      self.keys += step.keys
      do throws(Typist.Drift) {
        try typist.perform(step)
      } catch {
        let found = "drift in seed \(seed) after \(self.keys) keys: \(error.what)"
        try File.write(Array("\(found)\nlooking for the smallest session …\n".utf8), to: 2)
        let shrunk = Shrinking(steps, from: checkpoints.map { ($0.step, $0.text) }, error.what)
        throw Failure("\(found)\n\(shrunk.description)")
      }
      if typist.isSettled, case .mark = step {
        checkpoints.append(Checkpoint(step: steps.count, text: typist.tracker.buffer.bytes))
        if checkpoints.count > 64 { checkpoints.removeSubrange(1..<32) }
      }
    }
    if typist.slowest.time > slowest.time { slowest = typist.slowest }
    checks += typist.checks
  }
}
