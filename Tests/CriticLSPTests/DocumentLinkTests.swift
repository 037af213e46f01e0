import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Links in comments", .timeLimited) struct DocumentLinkTests {
  private static let folder = "file:///home/writer/book/draft.md"

  /// The links of a text, as in `https://a.b → https://a.b`.
  private func links(
    _ text: String,
    in uri: String = folder,
    _ encoding: PositionEncoding = .utf16
  ) throws -> [String] {
    let wire = Wire(capabilities: Wire.announcing(#""documentLink":{}"#, encoding))
    wire.open(text, uri: uri)
    let answer = try wire.request(
      "textDocument/documentLink",
      #"{"textDocument":{"uri":\#(json(uri))}}"#
    )
    return try #require(answer["result"]).elements.map { link in
      let target = try #require(link["target"]?.string)
      return "\(try wire.text(in: link["range"])) → \(target)"
    }
  }

  @Test(
    "Addresses are links, without the punctuation around them",
    arguments: [
      "https://example.org", "http://example.org/a_(b)", "HTTPS://Example.org/?a=b&c#d",
      "mailto:ada@example.org", "https://[::1]/x", "https://example.org/a,b;c",
    ]
  )
  func addresses(_ address: String) throws {
    let link = "\(address) → \(address)"
    for text in [
      address, "see \(address).", "(\(address))", "<\(address)>", "“\(address)”", "[\(address)]!",
      "\(address)…", "*\(address)*", "\"\(address)\",", "\(address)\nmore", "[text](\(address))",
      "[text](<\(address)> \"title\")", "字、\(address)。字", "«\(address)»", "`\(address)`",
      "(\(address)).",
    ] {
      #expect(try links("a {>>\(text)<<} b\n") == [link], "\(text)")
    }
  }

  @Test("What a URI cannot hold is encoded in the target, and what is encoded stays")
  func encoded() throws {
    #expect(
      try links("{>>https://example.org/é?q=%20x%y<<}")
        == ["https://example.org/é?q=%20x%y → https://example.org/%C3%A9?q=%20x%25y"]
    )
  }

  @Test(
    "Markdown files are looked for beside the document",
    arguments: [
      ("notes.md", "file:///home/writer/book/notes.md"),
      ("../Old.MD#one-two", "file:///home/writer/Old.MD#one-two"),
      ("./a/./b.markdown", "file:///home/writer/book/a/b.markdown"),
      ("../../../../x.md", "file:///x.md"),
      ("été/字.md", "file:///home/writer/book/%C3%A9t%C3%A9/%E5%AD%97.md"),
      ("my%20notes.md", "file:///home/writer/book/my%20notes.md"),
    ]
  )
  func files(_ path: String, _ target: String) throws {
    for text in [path, "(see \(path)).", "[text](\(path))", "[a b](<\(path)>)"] {
      #expect(try links("{>>\(text)<<}") == ["\(path) → \(target)"], "\(text)")
    }
  }

  @Test("In angle brackets a path may hold spaces")
  func spaces() throws {
    #expect(
      try links("{>>[text](<my notes.md>)<<}") == [
        "my notes.md → file:///home/writer/book/my%20notes.md"
      ]
    )
  }

  @Test(
    "These are no links",
    arguments: [
      "{>>xhttps://example.org<<}", "{>>https://<<}", "{>>https://.<<}", "{>>mailto:ada<<}",
      "{>>mailto:@x<<}", "{>>mailto:x@<<}",
      "{>>ftp://example.org<<}", "{>>notes.txt<<}", "{>>.md a/.md<<}", "{>>/notes.md<<}",
      "{>>ada@notes.md<<}",
      "{>>c:notes.md<<}", "{>>[text](notes.txt)<<}", "{>>[text]()<<}", "{>>[text](<<}",
      "{>>](<https://a.b<<}x",
      "https://example.org notes.md", "{++https://example.org++}", "`{>>https://example.org<<}`",
      "{>><<}",
    ]
  )
  func none(_ text: String) throws {
    #expect(try links(text).filter { !$0.hasPrefix("https://a.b") }.isEmpty)
  }

  @Test(
    "A file is found by the document's own URI, whatever its scheme; one without a folder has none"
  )
  func schemes() throws {
    let text = "{>>notes.md<<}"
    for (uri, target) in [
      ("file:///c%3A/book/draft.md", "file:///c%3A/book/notes.md"),
      ("vscode-remote://host/book/draft.md?x#y", "vscode-remote://host/book/notes.md"),
      ("file:/draft.md", "file:/notes.md"),
    ] {
      #expect(try links(text, in: uri) == ["notes.md → \(target)"])
    }
    for uri in ["untitled:Untitled-1", "draft.md", "x://host"] {
      #expect(try links(text, in: uri).isEmpty)
    }
  }

  @Test("Comments in marks and in comments hold links, each of them once")
  func nested() throws {
    #expect(
      try links("{++a {>>x.md<<} b++} {>>y.md {>>z.md<<}<<}").compactMap {
        $0.split(separator: " ").first
      }
        == ["x.md", "y.md", "z.md"]
    )
  }

  @Test(
    "Ranges are right after characters of any length",
    arguments: [PositionEncoding.utf8, .utf16, .utf32]
  )
  func encodings(_ encoding: PositionEncoding) throws {
    #expect(
      try links("👩‍👩\n𝄞 {++é++}{>>字𝄞 https://é.org/𝄞 é<<}", in: "file:///a.md", encoding)
        == ["https://é.org/𝄞 → https://%C3%A9.org/%F0%9D%84%9E"]
    )
  }

  @Test("Links lie in comments, apart from each other, and lead to URIs")
  func property() {
    let bits = [
      "https://", "http://a.b", "mailto:", "a@b", "x.md", "/", "..", ".", "](", "[", "(", ")", "<",
      ">",
      " ", "\n", "é", "“", "#", "%", "\\", "\u{80}", ":", "*", "_",
    ]
    forAll(
      runs(300),
      step: { bits[Int.random(in: bits.indices, using: &$0)] },
      law: { _, bits in
        let text = Array(bits.joined().utf8)
        let links = Link.links(in: text + [0x2E, 0x6D, 0x64], 0..<text.count, of: "file:///a/b.md")
        var at = 0
        for link in links {
          if link.range.lowerBound < at || link.range.upperBound > text.count || link.range.isEmpty
          {
            return "\(link) in \(bits.joined().debugDescription)"
          }
          at = link.range.upperBound
          let isURI = link.target.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7F && !"<>\"\\`{|}^".utf8.contains($0)
          }
          if !isURI || !link.target.contains(":") { return "\(link) leads nowhere" }
        }
        return nil
      }
    )
  }

  @Test("A document that is not open has no links")
  func closed() throws {
    let wire = Wire(capabilities: Wire.announcing(#""documentLink":{}"#))
    #expect(try wire.ask("documentLink").description == "[]")
  }

  @Test("A format character of general punctuation ends a link, a superscript does not")
  func formatCharacter() throws {
    let address = "https://example.org"
    #expect(try links("{>>\(address)\u{206F}x<<}") == ["\(address) → \(address)"])
    #expect(try links("{>>\(address)\u{2070}x<<}").first?.contains("%E2%81%B0") == true)
  }
}
