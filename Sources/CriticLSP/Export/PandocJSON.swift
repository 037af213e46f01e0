import JSONRPC
import TrackEngine

extension TrackedTree {
  /// JSON that pandoc reads.
  ///
  /// - Parameters:
  ///   - blocks: The blocks, without anything tracked.
  ///   - metadata: The metadata.
  /// - Returns: A document of this one's version.
  func json(_ blocks: [PandocNode], _ metadata: [PandocNode.Member]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("pandoc-api-version", version)
      $0.member("meta", PandocNode.members(metadata))
      $0.member("blocks", blocks)
    }
    return writer.bytes
  }

  /// Who made some changes, and when, as far as it is said of the first of them.
  func attribution(of changes: [Int]) -> (author: String?, date: String?) {
    let made = changes.first.map { self.changes[$0].entry.attribution }
    return (made?.author, made?.date)
  }
}

extension PandocNode {
  /// How deeply a tree's JSON may be nested.
  private static let deepest = 1 << 12

  /// The tree that pandoc makes of a text.
  ///
  /// - Throws: `Platform.Failure` if pandoc fails.
  static func tree(
    of text: [UInt8],
    in format: Path,
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> PandocNode {
    let output = try Pandoc.run(["-f", format, "-t", "json"], on: text, &warnings)
    do throws(JSONError) {
      return PandocNode(try JSON(parsing: output, depthLimit: deepest))
    } catch {
      throw Platform.Failure(description: "pandoc wrote no JSON: \(error.reason)")
    }
  }
}
