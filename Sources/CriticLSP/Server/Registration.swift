import JSONRPC

extension Server {
  /// Asks a client to send us what it sends only to those who asked; once for each method.
  func register(
    _ method: StaticString,
    for request: Request = .other,
    _ options: some JSONWritable
  ) {
    let registration = Registration(
      id: "critic \(method)",
      method: method,
      registerOptions: options
    )
    let params = RegistrationParams(registrations: [registration])
    self.request("client/registerCapability", for: request, params)
  }
}
