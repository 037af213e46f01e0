import Foundation
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("A file that is too long for memory", .timeLimited) struct LongFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A text with changes at both ends that needs several windows.
  private var text: String {
    let line = "Some words that fill a line, and another one behind it.\n\n"
    let count = DocumentList<ChangeLister>.longestInMemory / line.utf8.count + 1
    return "{++first++}[^cn-1]\n\n# One\n\n" + String(repeating: line, count: count)
      + "Two\n===\n\n{--last--}\n\n{++open\n\n[^cn-1]: @anna | 2026-11-22 | ins\n"
  }

  @Test("It is listed and checked like a short one")
  func listed() throws {
    try folder.write("x.md", text)
    let changes = try folder.run("changes", "x.md")
    #expect(changes.code == 0)
    #expect(changes.output.contains("x.md:1:1: 1 addition “first”"))
    #expect(changes.output.contains("by @anna, 2026-11-22"))
    let line = text.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) } - 5
    #expect(changes.output.contains("x.md:\(line):1: 2 deletion “last”"))
    let check = try folder.run("check", "--malformed", "x.md")
    #expect(check.code == 1)
    #expect(check.output.hasPrefix("x.md:\(line + 2):1: This addition is never closed."))
    let whole = try folder.run("changes", "-", input: text).output
    #expect(changes.output == whole.replacing("-:", with: "x.md:"))
  }

  @Test("If somebody writes to it meanwhile, that is said, and nothing is made up")
  func changed() throws {
    try folder.write("x.md", text)
    let path = Path(folder.path("x.md"))
    let file = try #require(try LongFile(path, shortest: 1))
    try file.expectUnchanged()
    #expect(try file.read(2..<5) == Array("+fi".utf8))
    let writer = try FileHandle(forWritingTo: folder.url.appending(path: "x.md"))
    try writer.write(contentsOf: Data("{--f".utf8))
    #expect(throws: Platform.Failure.self) { try file.expectUnchanged() }
    try writer.truncate(atOffset: 50)
    #expect(throws: Platform.Failure.self) { try file.read(0..<100) }
  }

  @Test("What is short, a folder or standard input is read as before")
  func others() throws {
    try folder.write("x.md", "{++x++}")
    #expect(try LongFile(Path(folder.path("x.md")), shortest: 8) == nil)
    #expect(try LongFile(Path(folder.path("x.md")), shortest: 7) != nil)
    #expect(try LongFile(Path(folder.path("")), shortest: 0) == nil)
    #expect(try LongFile("-", shortest: 0) == nil)
  }
}
