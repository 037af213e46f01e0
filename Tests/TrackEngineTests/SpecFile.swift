import Foundation
import Testing

@testable import TrackEngine

/// A block of a picture file: a film strip of the buffer and what the user does to it, or two texts and what they are
/// marked up.
struct SpecBlock: CustomTestStringConvertible {
  struct Frame {
    /// What the user does, a line each; empty for the first picture.
    var actions: [Line]
    var picture: String
    /// The line of the picture's beginning.
    var line: Int
  }

  struct Line {
    var text: String
    var number: Int
  }

  var file: String
  var path: String
  var line: Int
  var options: Set<String>
  var frames: [Frame]

  var testDescription: String { "\(file):\(line)" }
}

/// The folder of the picture files.
let specFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Spec")

/// All blocks of a kind of all picture files, by file and line.
func specBlocks(_ kind: String = "track") throws -> [SpecBlock] {
  let files = try FileManager.default.contentsOfDirectory(atPath: specFolder.path)
    .filter { $0.hasSuffix(".md") }.sorted()
  return try files.flatMap { file in
    let path = specFolder.appending(path: file)
    return blocks(of: try String(contentsOf: path, encoding: .utf8), kind, file, path.path)
  }
}

private func blocks(of text: String, _ kind: String, _ file: String, _ path: String) -> [SpecBlock]
{
  var blocks: [SpecBlock] = []
  var fence: Substring?
  var options: Set<String> = []
  var lines: [SpecBlock.Line] = []
  var start = 0
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    if let open = fence {
      if line == open {
        blocks.append(
          SpecBlock(
            file: file,
            path: path,
            line: start,
            options: options,
            frames: frames(of: lines)
          )
        )
        fence = nil
      } else {
        lines.append(SpecBlock.Line(text: String(line), number: index + 1))
      }
    } else if line.hasPrefix("```") {
      let ticks = line.prefix { $0 == "`" }
      let words = line.dropFirst(ticks.count).split(separator: " ").map(String.init)
      guard words.first == kind else { continue }
      fence = ticks
      options = Set(words.dropFirst())
      lines = []
      start = index + 1
    }
  }
  return blocks
}

private func frames(of lines: [SpecBlock.Line]) -> [SpecBlock.Frame] {
  var frames: [SpecBlock.Frame] = []
  var actions: [SpecBlock.Line] = []
  var picture: [SpecBlock.Line] = []
  func close() {
    guard let first = picture.first else { return }
    frames.append(
      SpecBlock.Frame(
        actions: actions,
        picture: picture.map(\.text).joined(separator: "\n")
          .replacingOccurrences(of: "↵\n", with: "\r\n")
          .replacingOccurrences(of: "␍", with: "\r")
          .replacingOccurrences(of: "→", with: "\t")
          .replacingOccurrences(of: "␣", with: " "),
        line: first.number
      )
    )
    actions = []
    picture = []
  }
  for line in lines {
    if line.text.hasPrefix("=> ") {
      close()
      actions.append(SpecBlock.Line(text: String(line.text.dropFirst(3)), number: line.number))
    } else {
      picture.append(line)
    }
  }
  close()
  return frames
}

extension Set<String> {
  /// The language that options name; Markdown if they name none.
  var language: Language { Language.allCases.first { contains("\($0)") } ?? .markdown }
}
