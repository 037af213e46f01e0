import JSONRPC

/// Something that is measured beside others.
protocol Contender: AnyObject {
  /// Does what is not to be measured.
  func prepare() throws
  /// One turn: a few measurements.
  func turn(_ results: inout Results) throws
  /// Ends what ``prepare()`` began.
  func finish(_ results: inout Results) throws
}

extension Contender {
  func prepare() throws {}
  func finish(_ results: inout Results) throws {}
}

/// What is known of a contender.
struct Results {
  /// Nanoseconds, by what took them.
  var times: [String: [Int]] = [:]
  /// Other numbers.
  var facts: [String: Int] = [:]

  mutating func add(_ time: Int, to name: String = "time") { times[name, default: []].append(time) }
}

/// Measures contenders in turn, A B A B …, so that what disturbs the machine disturbs all of them.
struct Race {
  /// How many turns each has at most.
  var turns = 1000
  /// When no more turns are begun, in seconds.
  var seconds = 10.0
  /// How many turns each has all the same, up to three times that long; the first is always ended.
  var fewest = 3

  func run(_ contenders: [any Contender]) throws -> [Results] {
    var results = contenders.map { _ in Results() }
    for contender in contenders { try contender.prepare() }
    let start = Clock.now
    for turn in 0..<turns {
      let spent = Double(Clock.now - start) / 1e9
      if spent > seconds, turn >= fewest || turn > 0 && spent > 3 * seconds { break }
      for (index, contender) in contenders.enumerated() { try contender.turn(&results[index]) }
    }
    for (index, contender) in contenders.enumerated() { try contender.finish(&results[index]) }
    return results
  }
}

extension [Results] {
  /// As JSON: `[{"times":{…},"facts":{…}},…]`.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      for results in self {
        writer.object { writer in
          writer.member(
            "times",
            object: {
              for (name, times) in results.times {
                $0.key(name)
                $0.value(times)
              }
            }
          )
          writer.member(
            "facts",
            object: {
              for (name, fact) in results.facts {
                $0.key(name)
                $0.integer(fact)
              }
            }
          )
        }
      }
    }
    return writer.bytes
  }
}
