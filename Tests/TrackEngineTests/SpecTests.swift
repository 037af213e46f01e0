import TestSupport
import Testing
import TrackEngine

@Suite("The pictures of Tests/Spec", .timeLimited) struct SpecTests {
  @Test("Every picture shows what the tracker does", arguments: try specBlocks())
  func picture(_ block: SpecBlock) throws {
    let first = try #require(block.frames.first)
    var stage = Stage(picture: first.picture, options: block.options)
    let start = stage.tracker.buffer.bytes
    var isReviewed = false
    for frame in block.frames.dropFirst() {
      for action in frame.actions {
        do {
          try stage.perform(action.text)
        } catch {
          Issue.record("\(action.text): \(error)", sourceLocation: block.location(action.number))
        }
        isReviewed = isReviewed || block.isReview(action.text)
      }
      if frame.actions.last?.text != "wait" { stage.settle() }
      let picture = stage.picture(like: frame.picture)
      #expect(picture == frame.picture, sourceLocation: block.location(frame.line))
    }
    let language = stage.tracker.options.language
    guard !isReviewed, block.options.subtracting(["\(language)"]).isEmpty, !stage.tracker.isHeld,
      stage.tracker.hunks.isEmpty
    else { return }
    let end = stage.tracker.buffer.bytes
    #expect(
      Reading(of: end, as: language).text(.original, of: end)
        == Reading(of: start, as: language).text(.original, of: start),
      "the original is sacred",
      sourceLocation: block.location(block.line)
    )
    let isSettled = stage.tracker.isSettled
    #expect(isSettled, sourceLocation: block.location(block.line))
    #expect(stage.tracker.marking().edits.isEmpty, sourceLocation: block.location(block.line))
  }
}

extension SpecBlock {
  func location(_ line: Int) -> SourceLocation {
    SourceLocation(fileID: "Tests/\(file)", filePath: path, line: line, column: 1)
  }

  func isReview(_ action: String) -> Bool {
    ["accept", "reject", "take", "fix"].contains { action.hasPrefix($0) }
  }
}
