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
