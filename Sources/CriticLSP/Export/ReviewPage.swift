import JSONRPC
import TrackEngine

/// One file that shows a document with its changes and comments in any browser, loads nothing, and collects what a reader
/// has to say.
struct ReviewPage {
  private let tree: TrackedTree
  /// The name of the document's file.
  private let name: String
  private let trustsHTML: Bool
  private let text: String
  /// The entries that have a place in the text.
  private let placed: Set<Int>
  /// What pandoc warned of, once each.
  let warnings: [String]

  /// Makes the page of a document.
  ///
  /// - Parameters:
  ///   - tree: The document.
  ///   - path: Its file, or `-`.
  ///   - trustsHTML: Whether its own HTML is kept.
  /// - Throws: `Platform.Failure` if pandoc fails.
  init(_ tree: TrackedTree, of path: Path, trustsHTML: Bool) throws(Platform.Failure) {
    self.tree = tree
    self.trustsHTML = trustsHTML
    name = path == "-" ? "standard input" : path.name.description
    var rendering = PageRendering(tree, trustsHTML: trustsHTML, in: path == "-" ? nil : path.folder)
    var warnings = tree.warnings
    (text, placed) = try rendering.html(&warnings)
    self.warnings = warnings
  }

  /// The file.
  var html: String {
    let title = tree.title ?? name
    return """
      <!DOCTYPE html>
      <html lang="\(language.escaped)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">\(policy)
      <title>\(title.escaped)</title>
      <style>
      \(ReviewPage.style)</style>
      </head>
      <body>
      <a class="skip" href="#text">Skip to the text</a>
      <header>
      <h1>\(title.escaped)</h1>
      <p class="counts">\(counts.escaped)</p>
      \(choices)
      </header>
      \(ReviewPage.toolbar)
      <main id="text" tabindex="-1">
      \(text)
      </main>
      <aside id="entries" aria-label="Changes and comments">
      <h2>Changes and comments</h2>
      <ol>
      \(tree.changes.indices.map(entry).joined(separator: "\n"))
      </ol>
      <ol id="own" class="scripted" aria-label="Your comments on the text"></ol>
      </aside>
      <p id="said" role="status" aria-live="polite"></p>
      <script type="application/json" id="document">\(data)</script>
      <script>\(ReviewPage.script)</script>
      </body>
      </html>

      """
  }

  /// What the browser lets the page do: nothing but what it holds itself.
  ///
  /// What the document's own HTML does is its writer's affair, if it is trusted.
  private var policy: String {
    guard !trustsHTML else { return "" }
    return """

      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; script-src '\(ReviewPage.scriptHash)'; base-uri 'none'; form-action 'none'">
      """
  }

  /// What the page does: moves from change to change, filters, collects answers, and saves them as a file.
  static let script = String(decoding: PackageResources.review_js, as: UTF8.self)

  /// How the page looks.
  ///
  /// Colours never stand alone: what is added is underlined, what is deleted is struck through.
  private static let style = String(decoding: PackageResources.review_css, as: UTF8.self)

  /// What tells our script from any other: the digest of all that its element holds.
  private static let scriptHash = "sha256-\(Array(script.utf8).sha256.base64)"

  private var language: String {
    tree.metadata.first { $0.name == "lang" }.map { $0.value.plainText } ?? "en"
  }

  private var counts: String {
    let all = tree.changes
    let number = authors.count
    return counted(all.count { $0.entry.isChange }, "change") + ", "
      + counted(tree.threads.reduce(0) { $0 + $1.count }, "comment")
      + (number > 1 ? ", by \(number) people" : "")
  }

  private var authors: [String] {
    var names: Set<String> = []
    for index in tree.changes.indices { names.formUnion(people(at: index)) }
    return names.sorted()
  }

  /// Who made a change and who commented on it.
  private func people(at index: Int) -> [String] {
    [tree.changes[index].entry.attribution.author].compactMap(\.self)
      + tree.threads[index].compactMap(\.author)
  }

  // MARK: - Controls

  private var choices: String {
    let views = [("markup", "With changes"), ("clean", "Clean"), ("original", "Original")]
      .map { id, label in
        """
        <label><input type="radio" name="view" id="view-\(id)" value="\(id)"\(id == "markup" ? " checked" : "")> \
        \(label)</label>
        """
      }.joined(separator: "\n")
    let kinds = MarkKind.allCases.filter { kind in
      tree.changes.contains { $0.entry.code == .mark(kind) }
    }
    let byKind = kinds.map { box("kind", $0.description, "\($0)s") }.joined(separator: "\n")
    let byAuthor = (authors + [""]).map { box("author", $0, $0.isEmpty ? "not named" : $0) }
      .joined(separator: "\n")
    return """
      <fieldset class="views"><legend>Show the text</legend>
      \(views)
      </fieldset>
      <details class="scripted"><summary>Filter</summary>
      <fieldset><legend>Kinds</legend>
      \(byKind)
      </fieldset>
      <fieldset><legend>People</legend>
      \(byAuthor)
      </fieldset>
      </details>
      """
  }

  private static let toolbar = """
    <div class="scripted bar" role="toolbar" aria-label="Review">
    <button type="button" id="previous" aria-keyshortcuts="p">Previous</button>
    <button type="button" id="next" aria-keyshortcuts="n">Next</button>
    <button type="button" id="comment" aria-keyshortcuts="c">Comment on selection</button>
    <label>Your name <input id="name" autocomplete="name" size="12"></label>
    <button type="button" id="save" class="main">Save review</button>
    </div>
    """

  private func box(_ group: String, _ value: String, _ label: String) -> String {
    """
    <label><input type="checkbox" name="\(group)" value="\(value.escaped)" checked> \(label.escaped)</label>
    """
  }

  // MARK: - Entries

  private func entry(_ index: Int) -> String {
    let change = tree.changes[index]
    let entry = change.entry
    let number = change.number
    let thread = tree.threads[index]
    let isResolved = entry.isResolved
    let mark =
      placed.contains(index)
      ? "<a class=\"number\" href=\"#place-\(number)\" aria-label=\"Go to \(entry.code) \(number) in the text\">\(number)</a>"
      : "<span class=\"number\">\(number)</span>"
    let made = [entry.attribution.author, entry.attribution.date].compactMap(\.self)
    let by =
      made.isEmpty || entry.code == .mark(.comment)
      ? "" : " <span class=\"by\">\(made.joined(separator: ", ").escaped)</span>"
    let decisions =
      entry.isChange
      ? """

      <div class="scripted decide" role="group" aria-label="Decision on change \(number)">
      <button type="button" class="yes" aria-pressed="false">Yes</button>
      <button type="button" class="no" aria-pressed="false">No</button>
      </div>
      """ : ""
    return """
      <li id="entry-\(number)" tabindex="-1" data-change="\(number)" data-kind="\(entry.code)" \
      data-authors="\(people(at: index).joined(separator: "\u{1F}").escaped)"\(isResolved ? " class=\"resolved\"" : "")>
      <p class="head">\(mark) <span class="kind">\(entry.code)</span>\(by)\(isResolved ? " <span class=\"state\">resolved</span>" : "")</p>
      \(words(entry))
      <ul class="thread">\(thread.map(remark).joined())</ul>\(decisions)
      <button type="button" class="scripted reply" aria-label="\(thread.isEmpty ? "Comment on" : "Answer") \(number)">\
      \(thread.isEmpty ? "Comment" : "Answer")</button>
      </li>
      """
  }

  private func words(_ entry: ChangeEntry) -> String {
    func shown(_ text: [UInt8]) -> String { ReviewPage.shortened(text).escaped }
    return switch entry.kind {
    case .addition: "<p class=\"words\"><ins>\(shown(entry.new))</ins></p>"
    case .deletion: "<p class=\"words\"><del>\(shown(entry.old))</del></p>"
    case .substitution:
      "<p class=\"words\"><del>\(shown(entry.old))</del> <ins>\(shown(entry.new))</ins></p>"
    case .highlight: "<p class=\"words\"><mark>\(shown(entry.new))</mark></p>"
    case .comment: ""
    }
  }

  /// A text that an entry shows: its beginning, if it is long.
  private static func shortened(_ text: [UInt8]) -> String {
    let text = String(decoding: text, as: UTF8.self)
    return text.count > 240 ? "\(text.prefix(200))…" : text
  }

  private func remark(_ remark: TrackedTree.Remark) -> String {
    let made = [remark.author, remark.date].compactMap(\.self).joined(separator: ", ")
    return "<li>\(made.isEmpty ? "" : "<b>\(made.escaped)</b> ")\(remark.text.escaped)</li>"
  }

  /// What the script tells the changes by, so that a review can be put into a document that has changed since.
  private var data: String {
    var writer = JSONWriter()
    writer.object {
      $0.member("file", name)
      $0.member(
        "changes",
        array: { writer in
          for (change, place) in zip(tree.changes, AlikeChanges(tree.changes).places) {
            writer.object {
              $0.member("change", change.number)
              $0.member("kind", change.entry.code.description)
              $0.member("old", utf8: change.entry.old)
              $0.member("new", utf8: change.entry.new)
              $0.member("before", utf8: change.around.before)
              $0.member("after", utf8: change.around.after)
              place.write(to: &$0)
            }
          }
        }
      )
    }
    // So that nothing in it ends the element.
    return String(decoding: writer.bytes, as: UTF8.self).replacing("<", with: "\\u003C")
  }
}

extension TrackedTree {
  /// The title of the document; nil if it has none.
  fileprivate var title: String? {
    let title = metadata.first { $0.name == "title" }?.value.plainText
    return title?.isEmpty == false ? title : nil
  }
}

extension PandocNode {
  /// The words in it.
  fileprivate var plainText: String {
    var text = ""
    visit { node in
      switch node {
      case .element("Str", .text(let word)): text += word
      case .element("MetaString", .text(let all)): text += all
      case .element("Space", _), .element("SoftBreak", _): text += " "
      default: break
      }
    }
    return text
  }
}

extension String {
  /// The text as it stands in HTML, in attributes too.
  var escaped: String {
    var text: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "&"): text += "&amp;".utf8
      case UInt8(ascii: "<"): text += "&lt;".utf8
      case UInt8(ascii: ">"): text += "&gt;".utf8
      case UInt8(ascii: "\""): text += "&quot;".utf8
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
