import Foundation
import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Paths and the URIs of documents", .timeLimited) struct PathTests {
  private static let composed = Path("/caf\u{E9}/a.md")
  private static let decomposed = Path("/cafe\u{301}/a.md")

  @Test("Two spellings of a letter are two paths, and neither is in the folder of the other")
  func spellings() {
    #expect(PathTests.composed != PathTests.decomposed)
    #expect(Set([PathTests.composed, PathTests.decomposed]).count == 2)
    #expect(PathTests.composed.from("/caf\u{E9}") == "a.md")
    #expect(PathTests.decomposed.from("/caf\u{E9}") == nil)
  }

  @Test(
    "A path is in a folder if the folder's names are the first of its own",
    arguments: [
      ("/book/a.md", "/book", "a.md"), ("/book/a.md", "/book/", "a.md"), ("/a.md", "/", "a.md"),
      ("/book//b/a.md", "/book", "b/a.md"), ("a/b/c", "a", "b/c"), ("/book2/a.md", "/book", nil),
      ("/book", "/book", nil), ("/boo", "/book", nil), ("book/a.md", "/book", nil),
      ("/book/a.md", "book", nil),
    ] as [(Path, Path, Path?)]
  )
  func inside(_ path: Path, _ folder: Path, _ rest: Path?) {
    #expect(path.from(folder) == rest)
  }

  @Test("Paths are sorted folder by folder, a name before the longer one that it begins")
  func order() {
    let paths: [Path] = ["a", "a/b", "a/z/b", "a b", "a-b/c", "a.md", "b", "caf\u{E9}"]
    #expect(paths.shuffled().sorted() == paths)
    for path in paths { #expect(!(path < path)) }
  }

  @Test("A path with a NUL is none, for C would end it there")
  func nul() {
    #expect(Path([0x61, 0x00, 0x62]) == nil)
    #expect(DocumentKey(uri: "file:///a%00b.md").path == nil)
    #expect(throws: ResponseError.self) { try Path(JSON(parsing: Array(#""a\u0000b""#.utf8))) }
  }

  @Test(
    "A path is parted, and put together again",
    arguments: [
      ("/book/a.md", "/book/", "a.md"), ("a.md", "", "a.md"), ("/a", "/", "a"), ("/", "/", "/"),
      ("", "", ""),
    ] as [(Path, Path, Path)]
  )
  func parts(_ path: Path, _ folder: Path, _ name: Path) {
    #expect(path.folder == folder && path.name == name)
    if name != "/" { #expect(folder / name == path && folder + name == path) }
  }

  @Test("Slashes at the end are taken off, but not the root's own")
  func slashes() {
    #expect(Path("/book//").withoutSlash == "/book" && Path("//").withoutSlash == "/")
    #expect(Path("a").withoutSlash == "a" && Path("").withoutSlash == "")
  }

  // MARK: - URIs

  @Test(
    "A local file is known by any spelling of its URI",
    arguments: [
      "file:///a%20b/%C3%A9.md", "file:/a b/é.md", "FILE:///a%20b/%c3%a9.md",
      "File://localhost/a%20b/é.md", "file://LOCALHOST/a b/%C3%A9%2emd",
    ]
  )
  func sameFile(_ uri: String) {
    let key = DocumentKey(uri: uri)
    #expect(key == .file(Path("/a b/é.md")))
    #expect(key.uri == "file:///a%20b/%C3%A9.md")
    #expect(key.name == "é.md")
  }

  @Test("What is escaped need not be UTF-8, and every path is told and read again")
  func bytes() {
    #expect(DocumentKey(uri: "file:///caf%E9.md") != DocumentKey(uri: "file:///caf%E8.md"))
    for byte in UInt8(1)...255 where byte != Path.slash {
      guard let path = Path([Path.slash, byte, 0x25, 0x32, 0x46]) else { continue }
      #expect(DocumentKey(uri: DocumentKey.file(path).uri) == .file(path))
    }
  }

  @Test(
    "What is no file of this machine has no path, and keeps its name",
    arguments: [
      "file:///a%2Fb.md", "file:///a%2fb.md", "file:///a%00.md", "file://server/share/x.md",
      "file:///c:/x.md", "file:x.md", "file:", "untitled:Untitled-1", "https://a/b%25.md", "x", "",
      "vscode-notebook-cell:/a%E9.ipynb#W0", "a:%2525%zz",
    ]
  )
  func other(_ uri: String) {
    let key = DocumentKey(uri: uri)
    #expect(key.path == nil)
    #expect(DocumentKey(uri: key.uri) == key)
  }

  @Test("Other URIs are the same if only their escapes or the scheme's letters differ")
  func otherSpelling() {
    #expect(DocumentKey(uri: "Untitled:a%20b%c3%a9") == DocumentKey(uri: "untitled:a bé"))
    #expect(DocumentKey(uri: "file:///a%2Fb") == DocumentKey(uri: "file:///a%2fb"))
    #expect(DocumentKey(uri: "file:///a%2Fb") != DocumentKey(uri: "file:///a/b"))
    #expect(DocumentKey(uri: "x:a%252F") != DocumentKey(uri: "x:a%2F"))
    #expect(DocumentKey(uri: "x:A") != DocumentKey(uri: "x:a"))
    #expect(DocumentKey(uri: "x:%E9") != DocumentKey(uri: "x:%E8"))
  }

  // MARK: - Texts of documents

  @Test(
    "Every document's texts have URIs that lead back to it, and end with its name",
    arguments: [
      ("file:///home/writer/My%20Draft.md", "/home/writer/My%20Draft.md"),
      ("file:///a%3Fb%23%25.md", nil),
      ("file:/caf%E9.md", "/caf%E9.md"), ("file:///cafe%CC%81.md", "/cafe%CC%81.md"),
      ("file:////x.md", "//x.md"), ("untitled:Untitled-1", "/Untitled-1?untitled:Untitled-1"),
      ("untitled:a%20bé", "/a%20b%C3%A9?untitled:a%20b%25C3%25A9"), ("file:///a%2Fb.md", nil),
      ("vscode-vfs://github/o/a%2Fb.md?x#y", nil), ("file:///c:/x.md", "/x.md?file:///c:/x.md"),
      ("file://server/share/x.md", nil), ("file:///a%00.md", nil), ("x", "/x?x"), ("", "/?"),
      ("untitled:", "/?untitled:"), ("a:%2525%zz", nil), ("critic://clean/a.md", nil),
    ] as [(String, String?)]
  )
  func content(_ document: String, _ end: String?) throws {
    let key = DocumentKey(uri: document)
    for variant in Variant.settled {
      let uri = ContentKey(variant, of: key).uri
      if let end { #expect(uri == "critic://\(variant.rawValue)\(end)") }
      #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      let plain = "CRITIC:\(uri.dropFirst("critic://".count))"
      for spelling in [uri, plain, Self.spelledAnew(uri)] {
        let read = try #require(ContentKey(uri: spelling), "\(spelling)")
        #expect(read.variant == variant && read.document == key, "\(spelling)")
        #expect(DocumentKey(uri: spelling).isContent)
      }
    }
  }

  /// As VS Code spells a URI: each part without escapes that are UTF-8, and then with as many as there can be.
  private static func spelledAnew(_ uri: String) -> String {
    let parts = uri.dropFirst("critic://".count).split(
      separator: "?",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let anew = parts.map { part in
      let plain = part.removingPercentEncoding
      return PercentEncoding.encoded((plain ?? String(part)).utf8, keepsEscapes: plain == nil)
    }
    return "critic://\(anew.joined(separator: "?"))"
  }

  @Test("Every path's texts have URIs that lead back to it")
  func contentOfBytes() throws {
    for byte in UInt8(1)...255 {
      guard let path = Path([Path.slash, byte, 0x25, 0x32, 0x46]) else { continue }
      let uri = ContentKey(.clean, of: .file(path)).uri
      #expect(ContentKey(uri: uri) == ContentKey(.clean, of: .file(path)))
    }
  }

  @Test(
    "Two documents whose names look the same, or are in no encoding, stay two",
    arguments: [
      ("file:///caf%C3%A9.md", "file:///cafe%CC%81.md"),
      ("file:///caf\u{E9}.md", "file:///cafe\u{301}.md"),
      ("file:///caf%E9.md", "file:///caf%E8.md"),
    ]
  )
  func twoDocuments(_ first: String, _ second: String) throws {
    let wire = Wire()
    wire.open("one\n", uri: second)
    wire.open("one\n", uri: first)
    #expect(wire.server.documents.all.count == 2)
    let change = #"{"range":\#(Wire.range(0, 0, 0, 0)),"text":"x"}"#
    wire.didChange("[\(change)]", version: 2, uri: first)
    let texts = [first, second].map { uri in
      wire.server.documents[DocumentKey(uri: uri)].map { Array($0.tracker.buffer[0..<3]) }
    }
    #expect(texts == [Array("xon".utf8), Array("one".utf8)])
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(first))}}"#)
    #expect(wire.server.documents.keys.map { $0 } == [DocumentKey(uri: second)])
  }

  @Test(
    "A path in a transcript is read as it was written",
    arguments: [[0x61], [0xE9], [0xC3, 0xA9]]
  )
  func recorded(_ bytes: [UInt8]) throws {
    let path = try #require(Path(bytes))
    var writer = JSONWriter()
    RecordedPath(path).write(to: &writer)
    #expect(RecordedPath(try JSON(parsing: writer.bytes))?.path == path)
  }

  @Test("Only the bytes that a URI needs are escaped, and where asked for no escape twice")
  func escapes() {
    #expect(PercentEncoding.encoded(Array("a-._~/é %41".utf8)) == "a-._~/%C3%A9%20%2541")
    #expect(
      PercentEncoding.encoded(Array("?%41%4".utf8), leaving: "?", keepsEscapes: true)
        == "?%41%254"
    )
  }
}
