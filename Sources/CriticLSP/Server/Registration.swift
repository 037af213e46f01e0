import JSONRPC

extension Server {
  /// Asks a client to send us what it sends only to those who asked; once for each method.
  func register(
    _ method: StaticString,
    for request: Request = .other,
    _ options: (inout JSONWriter) -> Void
  ) {
    send("client/registerCapability", for: request) {
      $0.object {
        $0.member(
          "registrations",
          array: {
            $0.object {
              $0.member("id", "critic \(method)")
              $0.member("method", "\(method)")
              $0.key("registerOptions")
              options(&$0)
            }
          }
        )
      }
    }
  }
}
