import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("What goes on beside the server", .timeLimited) struct BackgroundTests {
  /// What a line of `sh` writes, read in slices, and whether it ended well.
  private func run(_ line: String, _ count: Int) throws -> (output: [UInt8], isDone: Bool) {
    let program = try BackgroundProgram(["sh", "-c", Path(line.utf8) ?? ""], without: ["HOME"])
    while true {
      if let isDone = program.readMore(count) { return (program.output, isDone) }
      Platform.sleep(1)
    }
  }

  @Test("All is read that a program writes, in slices of any length, and whether it has failed")
  func output() throws {
    let line = "printf %s \"$HOME\"; sleep 0.05; head -c 100000 /dev/zero; echo x >&2"
    for count in [7000, 1 << 18] {
      let (output, isDone) = try run(line, count)
      #expect(output == [UInt8](repeating: 0, count: 100_000))
      #expect(isDone)
    }
    let failed = try run("echo a; exit 3", 100)
    #expect(failed.output == Array("a\n".utf8))
    #expect(!failed.isDone)
    #expect(throws: Platform.Failure.self) {
      _ = try BackgroundProgram(["no-such-program"], without: [])
    }
  }

  @Test("A program that nobody reads any longer is ended")
  func ended() throws {
    func start() throws -> Int {
      let program = try BackgroundProgram(
        ["sh", "-c", "echo $$; exec sleep 1000"],
        without: []
      )
      while program.output.last != UInt8(ascii: "\n") {
        #expect(program.readMore(100) == nil)
        Platform.sleep(1)
      }
      let line = String(decoding: program.output.dropLast(), as: UTF8.self)
      let process = try #require(Int(line))
      withExtendedLifetime(program) { #expect(Platform.isRunning(process)) }
      return process
    }
    #expect(try !Platform.isRunning(start()))
  }

  @Test("Work on another thread is done once, and its result stays")
  func work() {
    let count = Guarded(0)
    let work = BackgroundWork { count.with { $0 += 1 } }
    while work.result == nil { Platform.sleep(1) }
    #expect(work.result != nil)
    #expect(count.with { $0 } == 1)
  }
}
