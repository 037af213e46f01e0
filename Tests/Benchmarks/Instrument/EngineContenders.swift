import TrackEngine

/// Opens and reads a document that is in memory.
final class OpenContender: Contender {
  private let path: String
  private var bytes: [UInt8] = []

  init(_ path: String) {
    self.path = path
  }

  func prepare() throws { bytes = try File.read(path) }

  func turn(_ results: inout Results) {
    var tracker: Tracker?
    let options = Tracker.Options(.markdown)
    results.add(Clock.time { tracker = Tracker(Text(bytes), options: options) }, to: "open")
    let middle = bytes.count / 2
    var marks = 0
    let time = Clock.time {
      marks = tracker?.excerpt(around: middle..<middle).reading.marks.count ?? 0
    }
    results.add(time, to: "read")
    results.facts["marks"] = marks
  }
}

/// Types in a document in memory: what the engine does at a keystroke.
final class KeystrokeContender: Contender {
  private let path: String
  private var tracker = Tracker(Text(), options: Tracker.Options(.markdown))
  private var places: [Place] = []
  private var next = 0
  private var random = Random(seed: 3)

  /// How many keys are typed in one place, and then in as many places.
  static let burst = 25
  /// How long a burst may take before it is cut short, in nanoseconds.
  static let patience = 500_000_000

  init(_ path: String) {
    self.path = path
  }

  func prepare() throws {
    let bytes = try File.read(path)
    places = Place.random(in: bytes, seed: 5)
    tracker = Tracker(Text(bytes), options: Tracker.Options(.markdown))
  }

  func turn(_ results: inout Results) {
    let place = nextPlace.offset
    burst(&results, "typing", (0..<KeystrokeContender.burst).map { place + $0 })
    let places = (0..<KeystrokeContender.burst).map { _ in nextPlace.offset }
    burst(
      &results,
      "jumping",
      places.indices.map { index in
        places[index] + places[..<index].count { $0 < places[index] }
      }
    )
  }

  private var nextPlace: Place {
    next += 1
    return places[next % places.count]
  }

  /// Types a letter at each offset, and takes them back.
  private func burst(_ results: inout Results, _ name: String, _ offsets: [Int]) {
    let start = Clock.now
    var typed: [Int] = []
    for offset in offsets where typed.isEmpty || Clock.now - start < KeystrokeContender.patience {
      let letter = UInt8(ascii: "a") + UInt8(random.below(26))
      results.add(Clock.time { type(letter, at: offset) }, to: name)
      typed.append(offset)
    }
    for offset in typed.reversed() {
      tracker.report(Edit(offset..<offset + 1, []))
    }
  }

  /// A keystroke as the server handles it: the edit, what the text is now, and the marks around it.
  private func type(_ letter: UInt8, at offset: Int) {
    tracker.report(Edit(offset..<offset, [letter]))
    marks &+= tracker.excerpt(around: offset..<offset).reading.marks.count
  }

  /// So that no work is left out as useless.
  private var marks = 0

  func finish(_ results: inout Results) { results.facts["marks"] = marks }

  /// Types `count` letters without a clock, for counting instructions; new places from time to time.
  func type(_ count: Int) {
    for start in stride(from: 0, to: count, by: KeystrokeContender.burst) {
      let place = nextPlace.offset
      for number in 0..<min(KeystrokeContender.burst, count - start) {
        type(UInt8(ascii: "a") + UInt8(random.below(26)), at: place + number)
      }
    }
  }
}

/// Inserts a byte in the middle of a page: what no editor of texts can do without.
final class InsertContender: Contender {
  private var page = [UInt8](repeating: 32, count: 4096)

  func prepare() { page.reserveCapacity(1 << 16) }

  func turn(_ results: inout Results) {
    for _ in 0..<KeystrokeContender.burst {
      results.add(Clock.time { page.insert(65, at: 2048) })
    }
    page.removeLast(KeystrokeContender.burst)
  }
}
