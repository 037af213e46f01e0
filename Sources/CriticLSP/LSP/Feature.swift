/// What an editor can show on request, by LSP's names.
///
/// The raw value is the method's last part, and the name of the client's capability.
enum Feature: String, CaseIterable {
  case codeLens
  case completion
  case definition
  case documentHighlight
  case documentLink
  case documentSymbol
  case foldingRange
  case hover
  case inlayHint
  case references
  case selectionRange
}
