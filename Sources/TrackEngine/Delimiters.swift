/// A delimiter as it is spelled in the text, before it is known whether it means anything.
struct Delimiter {
  /// What a spelling can be; a mark's kind is ``Delimiter/mark``.
  enum Role: UInt8 {
    case opener
    case closer
    case arrow
  }

  var offset: Int
  var role: Role
  var mark: MarkKind
  /// An opener with a `}` right behind it: inside a mark of its kind it is a brace and a closer.
  var beforeBrace = false
}

/// Every delimiter that `bytes` spell, by offset; one with a backslash before it is none.
///
/// Delimiters can overlap (`{++}`): which of them counts is for the matching to say. Linear.
func delimiters(in bytes: Bytes) -> [Delimiter] {
  var found: [Delimiter] = []
  var blocked = 0  // what an escaped opener covers is text, and is no closer either
  var at = 0
  while at < bytes.count {
    let byte = bytes[at]
    if byte == Ascii.open {
      if let mark = bytes.opener(at: at) {
        if at > 0, bytes[at - 1] == Ascii.backslash {
          blocked = at + 3
        } else {
          found.append(
            Delimiter(
              offset: at,
              role: .opener,
              mark: mark,
              beforeBrace: at + 3 < bytes.count && bytes[at + 3] == Ascii.close
            )
          )
        }
      }
    } else if byte == Ascii.close {
      if at - 2 >= blocked, let mark = bytes.closer(at: at - 2) {
        found.append(Delimiter(offset: at - 2, role: .closer, mark: mark))
      }
    } else if byte == Ascii.greater, at > blocked, bytes[at - 1] == Ascii.tilde {
      found.append(Delimiter(offset: at - 1, role: .arrow, mark: .substitution))
    }
    at += 1
  }
  return found
}
