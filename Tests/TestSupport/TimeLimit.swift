import Dispatch
import Foundation
public import Testing

/// Ends the run, with the name of the test, when a test takes too long.
///
/// A test that waits in vain, as for a server that never marks, can't be broken off in any other way.
public struct TimeLimit: SuiteTrait, TestTrait, TestScoping {
  /// In seconds: `TIME_LIMIT` in the environment, else what no test needs on a slow machine with all
  /// the others beside it.
  static let seconds =
    ProcessInfo.processInfo.environment["TIME_LIMIT"].flatMap(Double.init) ?? 1200

  private static let clock = DispatchQueue(label: "time limit")

  /// It is for every test in the suite.
  public var isRecursive: Bool { true }

  /// Runs a test against the clock.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let timer = DispatchSource.makeTimerSource(queue: TimeLimit.clock)
    let name = test.displayName ?? test.name
    timer.setEventHandler {
      let text = "✘ Test \"\(name)\" has not ended after \(TimeLimit.seconds) seconds.\n"
      FileHandle.standardError.write(Data(text.utf8))
      _exit(1)
    }
    timer.schedule(deadline: .now() + TimeLimit.seconds)
    timer.resume()
    defer { timer.cancel() }
    try await function()
  }
}

extension Trait where Self == TimeLimit {
  /// Each test ends the run when it takes too long.
  public static var timeLimited: Self { TimeLimit() }
}
