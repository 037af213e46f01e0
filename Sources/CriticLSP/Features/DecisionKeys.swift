import TrackEngine

/// How the user decides on what is at the caret, in the editor's own words.
struct DecisionKeys {
  /// What accepts and what rejects a change, if the editor says.
  private let accept: String?
  private let reject: String?
  /// What opens the menu of code actions; nil if that is not known.
  private let menu: String?
  /// Whether the editor makes edits of the server.
  private let takesEdits: Bool

  /// What the settings say, and a client's default key.
  init(_ settings: Settings, _ client: Client) {
    (accept, reject) = (settings.acceptKey, settings.rejectKey)
    takesEdits = client.takesEdits
    switch client.name {
    case "helix": menu = "space a"
    case "Neovim": menu = client.version.hasPrefix("0.1") ? "gra" : nil
    case "Zed", "Visual Studio Code", "Visual Studio Code - Insiders", "VSCodium": menu = "Ctrl+."
    case "Kate": menu = "Alt+Return"
    default: menu = nil
    }
  }

  /// A sentence on what can be done with a mark, with keys or commands in quotation marks; nil if nothing can.
  func sentence(on kind: MarkKind) -> String? {
    if kind.isChange, let accept, let reject {
      return "“\(accept)” accepts it, “\(reject)” rejects it."
    }
    guard takesEdits else {
      let commands = "“critic-lsp accept” accepts it, “critic-lsp reject” rejects it."
      return kind.isChange ? commands : nil
    }
    let menu = menu.map { "“\($0)”" } ?? "A code action"
    switch kind {
    case .addition, .deletion, .substitution: return "\(menu) accepts or rejects it."
    case .highlight: return "\(menu) removes the highlight."
    case .comment: return "\(menu) removes or resolves the comment."
    }
  }
}
