import Foundation
public import Testing

/// How many random cases a property is tried with: `few`, or what `RUNS` in the environment says.
///
/// `RUNS=1000` is so many of each property, `RUNS=10x` ten times as many as usual.
public func runs(_ few: Int) -> Int {
  guard let runs = ProcessInfo.processInfo.environment["RUNS"] else { return few }
  return runs.hasSuffix("x") ? few * (Int(runs.dropLast()) ?? 1) : Int(runs) ?? few
}

/// Tries a property with random lists of steps and reports the smallest list that breaks it.
///
/// Steps must make sense in any sub-list, so that a list is made smaller by leaving steps out.
///
/// - Parameters:
///   - count: How many lists are tried.
///   - length: The longest list.
///   - step: Makes a step.
///   - location: Where a failure is reported.
///   - law: Returns what is broken, or nil.
public func forAll<Step>(
  _ count: Int,
  length: Int = 12,
  step: (inout Seeded) -> Step,
  sourceLocation location: SourceLocation = #_sourceLocation,
  law: (_ seed: UInt64, _ steps: [Step]) -> String?
) {
  for seed in 0..<UInt64(count) {
    var random = Seeded(seed: seed)
    let steps = (0..<Int.random(in: 1...length, using: &random)).map { _ in step(&random) }
    guard let broken = law(seed, steps) else { continue }
    let (smallest, why) = shrunk(steps, broken) { law(seed, $0) }
    let list = smallest.map { "  \($0)" }.joined(separator: "\n")
    Issue.record("seed \(seed), smallest list:\n\(list)\n\(why)", sourceLocation: location)
    return
  }
}

private func shrunk<Step>(
  _ steps: [Step],
  _ broken: String,
  _ law: ([Step]) -> String?
) -> ([Step], String) {
  var steps = steps
  var broken = broken
  var index = 0
  while index < steps.count {
    var fewer = steps
    fewer.remove(at: index)
    if let why = law(fewer) {
      steps = fewer
      broken = why
      index = 0
    } else {
      index += 1
    }
  }
  return (steps, broken)
}
