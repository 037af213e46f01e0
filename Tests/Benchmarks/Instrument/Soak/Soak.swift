import TrackEngine

/// Types many keys and compares what comes of it with a plain model; says the smallest session that
/// drifts.
enum Soak {
  /// Types `keys` keys in documents of several kinds, with the marks in the text; then as many with the marks beside it.
  ///
  /// - Parameters:
  ///   - keys: How many keys each time.
  ///   - seed: What the first document comes from; the next one takes the next number.
  /// - Throws: What drifted.
  static func run(keys: Int, seed: UInt64) throws {
    try SoakRun<Typist>.run("in the text", keys: keys, seed: seed)
    try SoakRun<BesideTypist>.run("beside the text", keys: keys, seed: seed)
  }
}

/// A writer who types many keys.
private struct SoakRun<Writer: SoakWriter> {
  private struct Checkpoint {
    var step: Int
    var text: [UInt8]
  }

  private(set) var keys = 0
  private var slowest = (time: 0, length: 0)
  private var checks = 0

  static func run(_ marks: String, keys: Int, seed: UInt64) throws {
    var run = SoakRun()
    var seed = seed
    let start = Clock.now
    while run.keys < keys {
      try run.session(seed, keys: min(60_000, keys - run.keys))
      seed += 1
    }
    let seconds = (Clock.now - start) / 1_000_000_000
    let memory = ChildProcess.memory(of: "self").now / 1_000_000
    let line =
      "soak, marks \(marks): \(run.keys) keys without drift in \(seconds) s, looked at whole"
      + " \(run.checks) times; slowest answer \(run.slowest.time / 1_000_000) ms in"
      + " \(run.slowest.length) bytes; \(memory) MB in the end\n"
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
    var writer = Writer(text)
    var steps: [SoakStep] = []
    var checkpoints = [Checkpoint(step: 0, text: text)]
    let end = self.keys + keys
    while self.keys < end {
      // The text stays about as long as it was.
      let isLong = writer.marked.count > 2 * length + 1000
      let step =
        isLong
        ? SoakStep.resolveAll(accepts: writer.cleanCount < 2 * length)
        : habits.step(&random, in: writer.cleanCount)
      steps.append(step)
      self.keys += step.keys
      do throws(Drift) {
        try writer.perform(step)
      } catch {
        let found = "drift in seed \(seed) after \(self.keys) keys: \(error.what)"
        try File.write(Array("\(found)\nlooking for the smallest session …\n".utf8), to: 2)
        let texts = checkpoints.map { ($0.step, $0.text) }
        let shrunk = Shrinking<Writer>(steps, from: texts, error.what)
        throw Failure("\(found)\n\(shrunk.description)")
      }
      if writer.isSettled, case .mark = step {
        checkpoints.append(Checkpoint(step: steps.count, text: writer.marked.bytes))
        if checkpoints.count > 64 { checkpoints.removeSubrange(1..<32) }
      }
    }
    if writer.slowest.time > slowest.time { slowest = writer.slowest }
    checks += writer.checks
  }
}
