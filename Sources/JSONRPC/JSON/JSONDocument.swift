/// The bytes of a document and its values, in document order, as a flat list.
///
/// An array is followed by its elements, an object by its members, each a name and a value; `next`
/// leads past them. The first byte of a value tells its kind.
///
/// Immutable after the initializer, so it can be shared.
final class JSONDocument: @unchecked Sendable {
  let bytes: [UInt8]
  let nodes: JSONNodeList

  init(parsing bytes: [UInt8], depthLimit: Int) throws(JSONError) {
    // Offsets have 32 bits, which halves the nodes.
    guard bytes.count < UInt32.max else {
      throw JSONError(offset: Int(UInt32.max), reason: "the document is longer than 4 GiB")
    }
    nodes = try bytes.withUnsafeBufferPointer { source throws(JSONError) in
      var parser = JSONParser(source: source, depthLimit: depthLimit)
      do throws(JSONError) {
        try parser.parse()
      } catch {
        parser.nodes.deallocate()
        throw error
      }
      return parser.nodes
    }
    self.bytes = bytes
  }

  deinit {
    nodes.deallocate()
  }
}

/// One value, or the name of a member.
struct JSONNode {
  /// The offset of the first byte.
  var start: UInt32
  /// The offset after the last byte.
  var end: UInt32
  /// The index of the first node that is not inside this one.
  var next: UInt32
  /// The number of elements or members; for a string, 1 if there may be escapes in it.
  var count: UInt32

  var mayHaveEscapes: Bool { count != 0 }
}

/// A growing list of nodes, without the checks of an array: there is one access for each token.
struct JSONNodeList {
  private(set) var count = 0
  private var memory: UnsafeMutableBufferPointer<JSONNode>

  init(capacity: Int) {
    memory = .allocate(capacity: capacity)
  }

  func deallocate() {
    memory.deallocate()
  }

  subscript(index: Int) -> JSONNode {
    get {
      assert(index < count)
      return memory[index]
    }
    nonmutating set {
      assert(index < count)
      memory[index] = newValue
    }
  }

  mutating func append(_ node: JSONNode) {
    if count == memory.count { grow() }
    memory.initializeElement(at: count, to: node)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutableBufferPointer<JSONNode>.allocate(capacity: count * 2)
    _ = larger.moveInitialize(fromContentsOf: memory)
    memory.deallocate()
    memory = larger
  }
}
