import JSONRPC
import TestSupport

/// Any JSON value, for comparison.
enum Value: Equatable, JSONWritable {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case string(String)
  case array([Value])
  case object([Member])

  struct Member: Equatable {
    let key: String
    let value: Value
  }

  init(_ json: JSON) {
    switch json.kind {
    case .null: self = .null
    case .bool: self = .bool(json.bool ?? false)
    case .number:
      // Only doubles are written with a point or an exponent.
      let isInteger = json.rawBytes.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 }
      self = isInteger ? .integer(json.integer ?? 0) : .double(json.double ?? 0)
    case .string: self = .string(json.string ?? "")
    case .array: self = .array(json.elements.map { Value($0) })
    case .object: self = .object(json.members.map { Member(key: $0.key, value: Value($0.value)) })
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .string(let value): writer.string(value)
    case .array(let elements): writer.value(elements)
    case .object(let members):
      writer.object { object in
        for member in members {
          object.key(member.key)
          object.value(member.value)
        }
      }
    }
  }

  static func random(depth: Int, using random: inout Seeded) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2:
      .integer(Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random))
    case 3: .double(randomDouble(using: &random))
    case 4: .string(randomString(using: &random))
    case 5:
      .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Value.random(depth: depth - 1, using: &random)
        }
      )
    default:
      .object(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Member(
            key: randomString(using: &random),
            value: Value.random(depth: depth - 1, using: &random)
          )
        }
      )
    }
  }

  private static func randomDouble(using random: inout Seeded) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : 0.1
  }

  private static func randomString(using random: inout Seeded) -> String {
    let pieces = [
      "a", "quick ", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "€", "😀", "\u{FFFD}", "/",
    ]
    let length = Int.random(in: 0...12, using: &random)
    return (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }
}
