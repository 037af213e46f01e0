import JSONRPC
import TrackEngine

extension Subcommand {
  /// `critic-lsp demo`: a short session with the real server, in this process.
  static let demo = Subcommand(
    name: "demo",
    summary: "watch a short editing session",
    description: [
      "Plays a short session with the server: a draft, what is typed, and the buffer after each pause; then the"
        + " three variants of the text."
    ],
    options: [.color],
    examples: [Example("demo", "")],
    operand: .none,
    run: { arguments in
      var demo = Demo(isColoured: arguments.wantsColor(on: 1))
      try demo.play()
      return 0
    }
  )
}

/// The session.
private struct Demo {
  private let page: Page
  private var editor: DemoEditor

  init(isColoured: Bool) {
    page = Page(isColoured: isColoured)
    editor = DemoEditor("The quick fox jumps over the lazy dog.\nIt is not amused.\n")
  }

  mutating func play() throws(Platform.Failure) {
    try page.title(
      "You write. Every change is recorded when you pause; you never type a mark yourself."
    )
    try page.show("a draft", editor.buffer)
    editor.type("brown ", before: "fox")
    try page.show("you type “brown ”, and pause", editor.buffer)
    editor.replace("lazy", with: "sleepy")
    try page.show("you select “lazy” and type “sleepy” over it", editor.buffer)
    editor.replace(" not", with: "")
    try page.show("you delete “not ”", editor.buffer)

    try page.title("Undo is yours: what you take back is not marked again.")
    editor.undo()
    try page.show("you undo: the deletion is no longer in marks", editor.buffer)
    editor.undo()
    try page.show("you undo once more: it was never made", editor.buffer)

    try page.title("Say why, and settle it.")
    editor.run("comment", on: "sleepy", text: "gentler")
    try page.show("you comment on a change", editor.buffer)
    editor.run("accept", on: "brown")
    try page.show("you accept “brown ”", editor.buffer)
    editor.type(" today", before: ".\nIt")
    try page.show("you type “ today”, and pause", editor.buffer)
    editor.run("reject", on: "today")
    try page.show("and reject it", editor.buffer)

    try page.title("One file holds it all. Take out what you need.")
    for variant in Variant.allCases {
      let text = editor.export(variant)
      try page.show("critic-lsp export --\(variant.rawValue)", text)
    }
  }
}

/// Writes the steps of the session, in colour if that is wanted.
private struct Page {
  let isColoured: Bool

  func title(_ text: String) throws(Platform.Failure) {
    try Console.write("\n\(painted(text, "1"))\n")
  }

  func show(_ step: String, _ text: String) throws(Platform.Failure) {
    try Console.write("\n  \(painted(step, "2"))\n")
    let marked = isColoured ? highlighted(text) : text
    for line in marked.split(separator: "\n") { try Console.write("    \(line)\n") }
  }

  private func painted(_ text: String, _ style: String) -> String {
    text.painted(style, if: isColoured)
  }

  private func highlighted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result = ""
    var at = 0
    for change in Reading(of: bytes, as: .markdown).changes.flatMap({ $0.marks + $0.thread }) {
      result += String(decoding: bytes[at..<change.start], as: UTF8.self)
      let mark = String(decoding: bytes[change.range], as: UTF8.self)
      result += painted(mark, change.kind.style)
      at = change.end
    }
    return result + String(decoding: bytes[at...], as: UTF8.self)
  }
}
