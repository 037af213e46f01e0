import Foundation

@testable import CriticLSP

extension ClientHabits {
  /// The params of `initialize`, with settings of ours.
  ///
  /// - Parameter options: The `initializationOptions`.
  /// - Returns: JSON.
  /// - Throws: What reading the recorded message throws.
  func greeting(_ options: String) throws -> String {
    var params: [String: Any] = [:]
    if let recording {
      let file = Repository.root.appending(path: "Tests/Sessions/initialize/\(recording).json")
      let recorded = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      params = recorded as? [String: Any] ?? [:]
    } else {
      // lsp-mode as its source says.
      params = [
        "clientInfo": ["name": "emacs", "version": "GNU Emacs 28.2"],
        "capabilities": [
          "general": ["positionEncodings": ["utf-32", "utf-8", "utf-16"]],
          "workspace": [
            "applyEdit": true, "configuration": true, "workspaceEdit": ["documentChanges": true],
          ],
          "textDocument": ["synchronization": ["didSave": true, "willSaveWaitUntil": true]],
        ],
      ]
    }
    params["processId"] = NSNull()
    params["initializationOptions"] = try JSONSerialization.jsonObject(with: Data(options.utf8))
    let data = try JSONSerialization.data(withJSONObject: params, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }
}
