import Foundation
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("A document as pandoc's tree", .needsPandoc, .timeLimited) struct TrackedTreeTests {
  /// Checks the tree, shown as one line for each block, with `+…+`, `-…-`, `=…=` for what is tracked, `¶+` and `¶-` for ends of
  /// paragraphs, and `<1` and `1>` for the places of comments.
  private func expect(
    _ markup: String,
    _ wanted: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try TrackedTree(Array(markup.utf8)).blocks.map(\.shown)
    #expect(shown == wanted, sourceLocation: sourceLocation)
  }

  /// Checks that what pandoc makes of either text is what is left when the other's is dropped, and that each comment is
  /// there once.
  private func check(
    _ markup: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = Sentinel.removed(from: Array(markup.utf8))
    let reading = Reading(of: bytes)
    let tree = try TrackedTree(Array(markup.utf8))
    for (variant, kind) in [(Variant.clean, TrackedStretch.Kind.deletion), (.original, .insertion)]
    {
      let dropping = Dropping(kind: kind)
      var warnings: [String] = []
      let wanted = try TrackedTree.blocks(of: reading.export(variant, of: bytes), &warnings)
      let left = dropping.nodes(of: tree.blocks)
      #expect(
        left == dropping.nodes(of: wanted),
        "\(variant) of \(markup)",
        sourceLocation: sourceLocation
      )
    }
    var (starts, ends): ([Int], [Int]) = ([], [])
    for block in tree.blocks {
      block.visit { node in
        guard case .comments(let change, let isStart) = node else { return }
        if isStart { starts.append(change) } else { ends.append(change) }
      }
    }
    let commented = tree.threads.indices.filter { !tree.threads[$0].isEmpty }
    #expect(starts.sorted() == commented, "\(markup)", sourceLocation: sourceLocation)
    #expect(ends.sorted() == commented, "\(markup)", sourceLocation: sourceLocation)
  }

  @Test("Changes, highlights and comments stand where they are in the text")
  func inline() throws {
    try expect(
      "The {~~red~>blue~~} *very {++old++}* hen{>>why<<} {==sat==}{>>a<<}{>>b<<} {--down--}.",
      ["The -red-+blue+ *very +old+* hen<22> <3=sat=3> -down-."]
    )
  }

  @Test("A change over several blocks is in each of them, and their ends are tracked")
  func blocks() throws {
    try expect(
      "One.{++\n\nTwo *c*.\n\nSix.++}\n\nEnd{++\n\n++}Fin. {++\n- x++}\n",
      ["One.", "+Two *c*.+¶+", "+Six.+¶+", "End¶+", "Fin.", "(+x+¶+)"]
    )
    try expect(
      "- a\n{--- b\n--}- c\n\n{--## Old--}{++## New++}\n\n> q{--\n> r--}\n",
      ["(a)(-b-¶-)(c)", "-Old-+New+", "[q -r-]"]
    )
  }

  @Test("Cells and rows of a table are tracked")
  func table() throws {
    try expect(
      "| a | b |\n|---|---|\n| x {++y++} | z |\n{--| p | q |\n--}| r | s |\n",
      ["|a|b|x +y+|z|-p-|-q-¶-|r|s|"]
    )
  }

  @Test("What cannot be tracked inside is replaced as a whole: code, math, targets of links")
  func wholes() throws {
    try expect(
      "{~~`a`~>`b`~~} $x{++y++}$ [t](u{++v++}) {++\n\n```\ncode\n```\n++}",
      ["-`a`-+`b`+ -$x$-+$xy$+ -[t](u)-+[t](uv)+", "+`code`+"]
    )
  }

  @Test("Where a mark makes a block another one, the old block goes and the new one comes")
  func gaps() throws {
    try expect("A\n\n{++- ++}b c\n\nD", ["A", "-b c-¶-", "(+b c+¶+)", "D"])
    try expect(
      "One two three *four{--*--} five{++*++} six.\n",
      ["One two three -*four* five-+*four five*+ six."]
    )
  }

  @Test("A heading has the identifier of the clean text, a deleted one has none")
  func identifiers() throws {
    let tree = try TrackedTree(Array("# A {~~red~>blue~~} hen\n\n{--# Gone\n\n--}# Gone\n".utf8))
    let identifiers = tree.blocks.map { block -> String in
      guard case .element("Header", let content) = block,
        case .text(let id) = content?.elements[1].elements.first
      else { return "" }
      return id
    }
    #expect(identifiers == ["a-blue-hen", "", "gone"])
  }

  @Test("Metadata is kept, and a line of dashes in the text is none")
  func metadata() throws {
    let tree = try TrackedTree(Array("---\ntitle: A {++b++}\n---\n\nx\n\n---\na: b: c\n---\n".utf8))
    #expect(tree.metadata.map(\.name) == ["title"])
    #expect(tree.blocks.count > 1)
    #expect(try TrackedTree(Array("+++\ntitle = 1\n+++\n\nx\n".utf8)).metadata.isEmpty)
  }

  @Test(
    "Both texts are those that pandoc makes, and no comment is lost",
    arguments: [
      "1. a\n2. {++b\n3. ++}c\n\n{++4. d\n++}",
      "Term\n: Def {++x++}{>>c<<}\n\n{++Other\n: Def\n++}",
      "Text[^1]{++ more[^2]++}.\n\n[^1]: Note {--one--}{>>c<<}.\n{++\n[^2]: Two.\n++}",
      "> > a {++b\n> > c++} d\n> {--> e\n--}\n\nx",
      "{++```swift\nlet {--a--} = 1\n```\n\n++}End{>>c<<}.",
      "~~~\na\n{++~~~\n++}b\n",
      "Title {++of it++}\n==={++=++}\n\n{~~* * *~>---~~}\n",
      "a{~~\n~> ~~}b{~~ ~>\n~~}c{--\n\n--} d{++\\\n++}e  {++\n++}f",
      "**a {--b** c--}{++d**++} *e{--*--}\n\n_f {++g_ h++}",
      "| a | b |\n|---|---|\n| {--x--} |{++ y | z++} |\n{++\n++}| c |\n\n: Cap {++x++}\n",
      "<div>{++x++}</div>\n\n<!-- {--c--} -->\n\n$$\na{++b++}\n$$\n",
      "![alt {++x++}](p.png) [l {--m--}][r]\n\n[r]: http://{++x.++}y {>>c<<}\n",
      "{++a {--b--} c++}{>>@ada: x<<} {==d {++e++} f==}{>>y<<}{>>z<<}",
      "{>>first<<}\n\n{++\n\n++}{>>empty<<}\n\n{----}{++++} x {>>last<<}",
      "---\nt: {>>front<<} x\n---\n\n    code {++x++}{>>c<<}\n\n{--    more\n--}",
      "a\(Sentinel.start(1).text)b {++c\(Sentinel.escape.text)++}\r\n\r\nd{--e--}\r\n",
      "- a\n\n  {++b\n\n  ++}c\n- d{++\n\n- e++}\n    - f{--\n    - g--}\n",
      "::: {.note}\nx {++y++}\n:::{--\n\n::: {.b}\nz\n:::--}\n",
    ]
  )
  func hostile(_ markup: String) throws { try check(markup) }

  @Test("Both texts are those that pandoc makes, whatever is marked", arguments: 0..<12)
  func random(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var text = Array(
      try Repository.text(["README.md", "CONTRIBUTING.md"].randomElement(using: &random)!)
    )
    let start = Int.random(in: 0..<text.count / 2, using: &random)
    text = text[start..<min(start + 2500, text.count)].filter { !"{}".contains($0) }
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let from = Int.random(in: 0..<text.count, using: &random)
      let to = min(text.count, from + Int.random(in: 0...80, using: &random))
      let inside = String(text[from..<to])
      let mark = [
        "{++\(inside)++}", "{--\(inside)--}", "{~~\(inside)~>new~~}", "{~~old~>\(inside)~~}",
        "{==\(inside)==}{>>@bob: see<<}", "{++\n\n\(inside)++}{>>@ada: why<<}",
      ].randomElement(using: &random)!
      text.replaceSubrange(from..<to, with: Array(mark))
    }
    try check(String(text))
  }

  @Test("What is written is what pandoc reads out of a Word document that it has made of it")
  func shape() throws {
    let folder = try Folder()
    try folder.write(
      "draft.md",
      "A {++new++}{>>@ada | 2026-01-02 | why<<} b {--old--}{>>@bob | 2026-01-02T10:00:00Z<<} c"
        + " {==d==}{>>@eve: hm<<}.\n"
    )
    let outcome = try folder.run("export", "--to", "json", "-o", "draft.json", "draft.md")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let line =
      "pandoc -f json -t native draft.json > ours && pandoc -f json draft.json -o draft.docx"
      + " && pandoc -f docx --track-changes=all -t native draft.docx > theirs && diff ours theirs"
    let compared = try Shell.run(line, in: folder)
    #expect(compared.code == 0, "\(compared.output)")
  }
}

extension PandocNode {
  /// See ``TrackedTreeTests``.
  fileprivate var shown: String {
    func all(_ nodes: [PandocNode]) -> String { nodes.map(\.shown).joined() }
    switch self {
    case .tracked(let stretch, let content):
      let sign = stretch.kind == .insertion ? "+" : "-"
      let inside = all(content)
      return sign + (inside.hasPrefix(" ") ? "␣\(inside.dropFirst())" : inside) + sign
    case .highlighted(_, let content): return "=\(all(content))="
    case .paragraphEnd(let stretch): return stretch.kind == .insertion ? "¶+" : "¶-"
    case .comments(let change, let isStart): return isStart ? "<\(change)" : "\(change)>"
    case .list(let nodes): return all(nodes)
    case .members, .other: return ""
    case .text(let text): return text
    case .element(let type, let content):
      let parts = content?.elements ?? []
      switch type {
      case "Str": return content?.shown ?? ""
      case "Space", "SoftBreak": return " "
      case "Emph": return "*\(all(parts))*"
      case "Strong": return "**\(all(parts))**"
      case "Code", "CodeBlock": return "`\(parts[1].shown)`"
      case "Math": return "$\(parts[1].shown)$"
      case "Link": return "[\(parts[1].shown)](\(parts[2].elements[0].shown))"
      case "Para", "Plain": return all(parts)
      case "Header": return parts[2].shown
      case "BlockQuote": return "[\(all(parts))]"
      case "BulletList": return parts.map { "(\($0.shown))" }.joined()
      case "OrderedList": return parts[1].elements.map { "(\($0.shown))" }.joined()
      case "Table":
        var cells: [String] = []
        content?.visit {
          if case .element("Plain", let text) = $0 { cells.append(text?.shown ?? "") }
        }
        return "|\(cells.joined(separator: "|"))|"
      default: return type
      }
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// What is exported through pandoc is tested where it is installed.
  static var needsPandoc: Self { .enabled(if: Shell.has("pandoc"), "pandoc is not installed") }
}
