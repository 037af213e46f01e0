/// The files in a ZIP archive (PKWARE's APPNOTE 6.3): read with bounds for each and for all, and written uncompressed.
///
/// Archives of several parts, of more than 4 GB, and encrypted ones are refused.
struct ZipArchive {
  /// A file as it is stored.
  private struct Entry {
    var isDeflated: Bool
    var checksum: UInt32
    /// How long it is.
    var count: Int
    /// Its bytes in the archive.
    var stored: ArraySlice<UInt8>
  }

  /// Why an archive cannot be read; a part of a sentence.
  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// The names of the files, in the order of the archive.
  private(set) var names: [String] = []
  private var entries: [String: Entry] = [:]

  /// How long a file in the archive may be, in bytes.
  static let longest = 1 << 28
  /// How long all files together may say they are, in bytes; none is read further than that.
  ///
  /// Pictures count, which are compressed already: Word opens no document that is longer than half of it as a file.
  static let mostUnpacked = 1 << 30

  /// Makes an archive without files.
  init() {}

  /// Finds the files of an archive.
  ///
  /// - Throws: ``Failure`` if it is no archive, is damaged or encrypted, or holds more than ``mostUnpacked``.
  init(_ bytes: [UInt8]) throws(Failure) {
    let damaged = Failure(description: "it is damaged: the ZIP archive cannot be read")
    guard bytes.starts(with: [0x50, 0x4B]) else {
      throw Failure(
        description:
          "it is not a Word document (.docx) or an OpenDocument text (.odt), which are ZIP archives"
      )
    }
    guard let end = ZipArchive.endRecord(bytes) else { throw damaged }
    let record = LittleEndian(bytes[...])
    guard let count = record.value(2, at: end + 10), var at = record.value(4, at: end + 16) else {
      throw damaged
    }
    var unpacked = 0
    for _ in 0..<count {
      guard record.value(4, at: at) == 0x0201_4B50, let flags = record.value(2, at: at + 8),
        let method = record.value(2, at: at + 10), let checksum = record.value(4, at: at + 16),
        let stored = record.value(4, at: at + 20), let length = record.value(4, at: at + 24),
        let nameCount = record.value(2, at: at + 28), let extra = record.value(2, at: at + 30),
        let comment = record.value(2, at: at + 32), let local = record.value(4, at: at + 42),
        at + 46 + nameCount <= bytes.count
      else { throw damaged }
      guard flags & 1 == 0 else { throw Failure(description: "it is encrypted") }
      guard method == 0 || method == 8 else {
        throw Failure(description: "it is compressed in a way that is not known (\(method))")
      }
      unpacked += length
      guard unpacked <= ZipArchive.mostUnpacked else {
        throw Failure(
          description: "its parts are longer than \(ZipArchive.mostUnpacked >> 20) MB in all; "
            + "split it in Word, or compress its pictures there"
        )
      }
      let name = String(decoding: bytes[at + 46..<at + 46 + nameCount], as: UTF8.self)
      guard record.value(4, at: local) == 0x0403_4B50,
        let localName = record.value(2, at: local + 26),
        let localExtra = record.value(2, at: local + 28)
      else { throw damaged }
      let start = local + 30 + localName + localExtra
      guard start + stored <= bytes.count, method == 8 || stored == length else { throw damaged }
      if entries[name] == nil { names.append(name) }
      entries[name] = Entry(
        isDeflated: method == 8,
        checksum: UInt32(truncatingIfNeeded: checksum),
        count: length,
        stored: bytes[start..<start + stored]
      )
      at += 46 + nameCount + extra + comment
    }
  }

  /// Where the record that ends an archive begins; nil if there is none.
  private static func endRecord(_ bytes: [UInt8]) -> Int? {
    var at = bytes.count - 22
    while at >= max(0, bytes.count - 22 - 0xFFFF) {
      if bytes[at..<at + 4] == [0x50, 0x4B, 5, 6] { return at }
      at -= 1
    }
    return nil
  }

  /// How long a file says it is; 0 if there is none of that name.
  func length(of name: String) -> Int { entries[name]?.count ?? 0 }

  /// The contents of a file; nil if there is none of that name.
  ///
  /// - Throws: ``Failure`` if it is damaged or longer than ``longest``.
  func contents(of name: String) throws(Failure) -> [UInt8]? {
    guard let entry = entries[name] else { return nil }
    guard entry.count <= ZipArchive.longest else {
      throw Failure(
        description: "\(name) in it is longer than \(ZipArchive.longest >> 20) MB; split it in Word"
      )
    }
    let contents =
      entry.isDeflated ? inflated(entry.stored, limit: entry.count) : Array(entry.stored)
    guard let contents, contents.count == entry.count, checksum(of: contents) == entry.checksum
    else { throw Failure(description: "it is damaged: \(name) in it cannot be read") }
    return contents
  }

  /// Puts a file into the archive, in place of one of the same name.
  mutating func set(_ name: String, _ contents: [UInt8]) {
    if entries[name] == nil { names.append(name) }
    entries[name] = Entry(
      isDeflated: false,
      checksum: checksum(of: contents),
      count: contents.count,
      stored: contents[...]
    )
  }

  /// Gives a file another name.
  mutating func rename(_ name: String, to other: String) {
    guard let index = names.firstIndex(of: name), entries[other] == nil else { return }
    names[index] = other
    entries[other] = entries.removeValue(forKey: name)
  }

  /// The archive.
  ///
  /// The files that were read are as they were stored, the others are not compressed.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for name in names {
      guard let entry = entries[name] else { continue }
      // Version 2.0, names in UTF-8, 1 January 1980, so that equal documents are equal files.
      var header = LittleEndian.bytes(20, 2) + LittleEndian.bytes(1 << 11, 2)
      header += LittleEndian.bytes(entry.isDeflated ? 8 : 0, 2) + [0, 0, 0x21, 0]
      header += LittleEndian.bytes(Int(entry.checksum), 4)
      header += LittleEndian.bytes(entry.stored.count, 4) + LittleEndian.bytes(entry.count, 4)
      header += LittleEndian.bytes(name.utf8.count, 2) + [0, 0]
      directory += [0x50, 0x4B, 1, 2, 20, 0] + header + [UInt8](repeating: 0, count: 10)
      directory += LittleEndian.bytes(bytes.count, 4) + name.utf8
      bytes += [0x50, 0x4B, 3, 4] + header + name.utf8 + entry.stored
    }
    let count = LittleEndian.bytes(names.count, 2)
    var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
    end += count
    end += count
    end += LittleEndian.bytes(directory.count, 4)
    end += LittleEndian.bytes(bytes.count, 4)
    end += [0, 0]
    return bytes + directory + end
  }
}

/// Numbers of which the lowest byte comes first.
private struct LittleEndian {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A number of `count` bytes; nil if it would not be in the bytes.
  func value(_ count: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// The CRC-32 of ZIP and PNG.
private func checksum(of bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
}

private let table: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
}
