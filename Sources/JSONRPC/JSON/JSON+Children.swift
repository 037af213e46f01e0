extension JSON {
  /// The elements of an array, none for anything else.
  public var elements: Elements { Elements(array: self) }

  /// The first element of an array, nil where there is none.
  public var first: JSON? {
    var iterator = elements.makeIterator()
    return iterator.next()
  }

  /// The members of an object as they are written, duplicates included; none for anything else.
  public var members: Members { Members(object: self) }

  /// The elements of an array, in order.
  public struct Elements: Sequence, Sendable {
    let array: JSON

    /// Starts at the first element.
    ///
    /// - Returns: An iterator over all elements.
    public func makeIterator() -> Iterator {
      Iterator(document: array.document, range: array.children(of: .array))
    }

    /// The number of elements.
    public var underestimatedCount: Int { array.kind == .array ? array.count : 0 }

    /// Walks over the elements of an array.
    public struct Iterator: IteratorProtocol {
      let document: JSONDocument
      var range: Range<Int>

      /// Moves on.
      ///
      /// - Returns: The next element, nil after the last.
      public mutating func next() -> JSON? {
        guard !range.isEmpty else { return nil }
        let element = range.lowerBound
        range = Int(document.nodes[element].next)..<range.upperBound
        return JSON(document: document, index: element)
      }
    }
  }

  /// The members of an object, in the order of the document.
  public struct Members: Sequence, Sendable {
    let object: JSON

    /// Starts at the first member.
    ///
    /// - Returns: An iterator over all members.
    public func makeIterator() -> Iterator {
      Iterator(document: object.document, range: object.children(of: .object))
    }

    /// The number of members.
    public var underestimatedCount: Int { object.kind == .object ? object.count : 0 }

    /// Walks over the members of an object.
    public struct Iterator: IteratorProtocol {
      let document: JSONDocument
      var range: Range<Int>

      /// Moves on.
      ///
      /// - Returns: The next member, nil after the last.
      public mutating func next() -> (key: String, value: JSON)? {
        guard !range.isEmpty else { return nil }
        let key = JSON(document: document, index: range.lowerBound)
        let value = JSON(document: document, index: range.lowerBound + 1)
        range = Int(document.nodes[value.index].next)..<range.upperBound
        return (key.string ?? "", value)
      }
    }
  }

  private func children(of kind: Kind) -> Range<Int> {
    self.kind == kind ? index + 1..<Int(document.nodes[index].next) : index..<index
  }
}
