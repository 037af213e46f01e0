/// A language feature, by its name in LSP.
///
/// The raw value is the last part of the method, and the name of the client's capability.
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
