import JSONRPC
import TrackEngine

extension Server {
  func askForConfiguration() {
    send("workspace/configuration", for: .configuration) {
      $0.object {
        $0.member(
          "items",
          array: { $0.object { $0.member("section", "critic") } }
        )
      }
    }
  }

  /// Takes the answer, which may be `null`, `[]` or `[null]` where there is nothing to say.
  func takeConfiguration(_ answer: JSON?) {
    apply(answer?.first)
  }

  /// The settings come with the notification, or are to be asked for.
  func didChangeConfiguration(_ params: JSON?) {
    if let section = params?["settings"]?["critic"], section.kind == .object {
      apply(section)
    } else if client.answersConfiguration {
      askForConfiguration()
    }
  }

  private func apply(_ section: JSON?) {
    var changed = initialSettings
    report(changed.merge(section))
    guard changed != settings else { return }
    settings = changed
    for key in documents.keys.sorted() {
      withDocument(key) { document in
        document.tracker.options = trackerOptions
        if document.trackingChoice == nil, settings.tracking != .auto {
          setTracking(settings.tracking == .on, of: &document)
        }
        document.isUnmarked = true
        document.publishAt = now
      }
    }
  }

  var trackerOptions: Tracker.Options {
    Tracker.Options(tracksFrontMatter: settings.tracksFrontMatter)
  }

  /// Whether a document that is opened is tracked: what the user said last, else the setting; with
  /// `auto`, if it has changes or its front matter asks for it.
  func isTracked(_ key: String, _ bytes: [UInt8]) -> Bool {
    if let choice = trackingChoices[key] { return choice }
    switch settings.tracking {
    case .on: return true
    case .off: return false
    case .auto:
      return frontMatterAsksForTracking(bytes)
        || Reading(of: bytes).marks.contains { $0.kind.isChange }
    }
  }
}
