/// The marks that are open at an offset of a text.
///
/// A closer closes the nearest open mark of its kind; anything open inside that becomes text. An opener that
/// nothing closes therefore does not affect what comes after it.
struct MarkStack {
  struct Element {
    var kind: MarkKind
    /// The index of the mark.
    var mark: Int
    /// The offset of a substitution's `~>`; -1 if there was none yet.
    var arrow = -1
  }

  private var elements: [Element] = []
  /// The number of open marks of each kind.
  private var open = CountsByKind()
  /// The number of open substitutions that have their `~>`.
  private var divided = 0

  var isEmpty: Bool { elements.isEmpty }

  /// Whether a mark of the kind is open.
  func isOpen(_ kind: MarkKind) -> Bool { open[kind] > 0 }

  /// Whether a closer of the kind would close something.
  func isClosable(_ kind: MarkKind) -> Bool { kind == .substitution ? divided > 0 : isOpen(kind) }

  /// Whether a `~>` would divide a substitution: one that has none yet, with nothing open inside it.
  var isDivisible: Bool {
    guard let top = elements.last else { return false }
    return top.kind == .substitution && top.arrow < 0
  }

  mutating func push(_ kind: MarkKind, _ mark: Int) {
    elements.append(Element(kind: kind, mark: mark))
    open[kind] += 1
  }

  /// Divides the substitution that ``isDivisible`` is about.
  mutating func divide(_ offset: Int) {
    elements[elements.count - 1].arrow = offset
    divided += 1
  }

  /// Removes the nearest mark of a kind that can be closed, and anything open inside it.
  mutating func close(_ kind: MarkKind) -> Element? {
    guard isClosable(kind) else { return nil }
    while let element = elements.popLast() {
      open[element.kind] -= 1
      if element.arrow >= 0 { divided -= 1 }
      if element.kind == kind, kind != .substitution || element.arrow >= 0 { return element }
    }
    return nil
  }
}

/// A number for each kind of mark; faster than an array.
struct CountsByKind {
  private var counts: (Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0)

  subscript(kind: MarkKind) -> Int {
    get {
      switch kind {
      case .addition: counts.0
      case .deletion: counts.1
      case .substitution: counts.2
      case .highlight: counts.3
      case .comment: counts.4
      }
    }
    set {
      switch kind {
      case .addition: counts.0 = newValue
      case .deletion: counts.1 = newValue
      case .substitution: counts.2 = newValue
      case .highlight: counts.3 = newValue
      case .comment: counts.4 = newValue
      }
    }
  }
}
