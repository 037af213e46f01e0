import JSONRPC

extension Server {
  /// Registers dynamically for a method; call it once for each method.
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
