/// The key of a document: its URI in a comparable form, percent-decoded, the drive letter in lower case.
func key(of uri: String) -> String {
  var bytes: [UInt8] = []
  let source = Array(uri.utf8)
  var at = 0
  while at < source.count {
    if source[at] == UInt8(ascii: "%"), at + 2 < source.count,
      let high = Character(UnicodeScalar(source[at + 1])).hexDigitValue,
      let low = Character(UnicodeScalar(source[at + 2])).hexDigitValue
    {
      bytes.append(UInt8(high << 4 | low))
      at += 3
    } else {
      bytes.append(source[at])
      at += 1
    }
  }
  let prefix = Array("file:///".utf8)
  if bytes.starts(with: prefix), bytes.count > prefix.count + 1,
    bytes[prefix.count + 1] == UInt8(ascii: ":")
  {
    bytes[prefix.count] |= 0x20
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// The last part of a URI, for messages.
func fileName(of uri: String) -> String {
  key(of: uri).split(separator: "/").last.map(String.init) ?? uri
}

/// The path of a file by its document key; nil if it is not a local file.
func filePath(of key: String) -> String? {
  for prefix in ["file:///", "file://localhost/"] where key.hasPrefix(prefix) {
    return String(key.dropFirst(prefix.count - 1))
  }
  return nil
}

/// A path with the escapes that a URI needs.
func percentEncoded(_ path: some StringProtocol) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  let bytes = path.utf8.flatMap { byte -> [UInt8] in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      [byte]
    default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
