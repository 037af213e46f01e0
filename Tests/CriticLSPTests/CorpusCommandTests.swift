import Foundation
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Command line: what the engine's tests hold", .timeLimited) struct CorpusCommandTests {
  private struct Case: Decodable {
    var id: String
    var markup: String
    var accepted: String
    var rejected: String
  }

  private static let spec = Repository.root.appending(path: "Tests/Spec")

  private static func cases() throws -> [Case] {
    try JSONDecoder().decode(
      [Case].self,
      from: try Data(contentsOf: spec.appending(path: "reading.json"))
    )
  }

  /// Every line of a picture that holds a mark, and every whole picture file.
  private static func pictures() throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(
      at: spec,
      includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "md" }
    let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
    let lines = texts.flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { $0.contains("{") }
    return texts + Set(lines).sorted()
  }

  /// Writes texts to files of a folder, runs a command on them, and gives what is in the files then.
  private func run(_ arguments: [String], on texts: [String]) throws -> [String] {
    let folder = try Folder()
    for (number, text) in texts.enumerated() { try folder.write("texts/\(number).md", text) }
    let outcome = try folder.run(arguments + ["texts"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try texts.indices.map { try folder.text("texts/\($0).md") }
  }

  @Test(
    "Every case of the reading corpus is exported, accepted and rejected as it should be",
    arguments: [
      (["export", "--clean"], true), (["export", "--original"], false), (["accept"], true),
      (["reject", "--all"], false),
    ]
  )
  func corpus(_ arguments: [String], _ isAccepted: Bool) throws {
    let cases = try Self.cases()
    #expect(cases.count > 100)
    let texts = try run(arguments + ["--in-place"], on: cases.map(\.markup))
    for (reading, text) in zip(cases, texts) {
      let bytes = Array(text.utf8)
      // An empty comment keeps apart what would be a mark after a decision.
      let shown =
        arguments[0] == "export"
        ? bytes : Reading(of: bytes, as: .markdown).text(.clean, of: bytes)
      let expected = isAccepted ? reading.accepted : reading.rejected
      #expect(String(decoding: shown, as: UTF8.self) == expected, "\(reading.id)")
    }
  }

  @Test(
    "Every picture is exported as the engine reads it",
    arguments: [Variant.clean, .original]
  )
  func pictures(_ variant: Variant) throws {
    let pictures = try Self.pictures()
    #expect(pictures.count > 500)
    let texts = try run(["export", "--\(variant.rawValue)", "--in-place"], on: pictures)
    for (picture, text) in zip(pictures, texts) {
      let bytes = Array(picture.utf8)
      let expected = Reading(of: bytes).text(variant, of: bytes)
      #expect(Array(text.utf8) == expected, "\(picture.prefix(200))")
    }
  }
}
