/// The commands of `workspace/executeCommand`.
enum CriticCommand: String, CaseIterable {
  case accept
  case reject
  case acceptAndNext
  case rejectAndNext
  case acceptAll
  case rejectAll
  case removeAnnotations
  case comment
  case editComment
  case removeComment
  case resolveComment
  case highlight
  case joinSubstitution
  case splitSubstitution
  case takeAlternative
  case fix
  case toggleTracking
  case mark
  case recordMeanwhile
  case takeAsOriginal
  case done
  case reopen
  case marks
  case write
  case next
  case previous
  case nextUncommented
  case annotate
  case changes
  case status
  case export
  case show

  /// The name in the protocol, as in `critic.accept`.
  var name: String { "critic.\(rawValue)" }

  static let names = allCases.map(\.name)

  /// The names of those that a client can use.
  static func names(for client: Client) -> [String] {
    client.showsContents ? names : names.filter { $0 != show.name }
  }

  init?(name: String) {
    guard name.hasPrefix("critic.") else { return nil }
    self.init(rawValue: String(name.dropFirst("critic.".count)))
  }
}
