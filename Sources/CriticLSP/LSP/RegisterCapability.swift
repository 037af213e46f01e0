import JSONRPC

/// The params of `client/registerCapability`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#client_registerCapability
struct RegistrationParams<Options: JSONWritable>: JSONWritable {
  let registrations: [Registration<Options>]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("registrations", registrations) }
  }
}

/// The dynamic registration of a method, with its options.
struct Registration<Options: JSONWritable>: JSONWritable {
  let id: String
  let method: StaticString
  let registerOptions: Options

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("method", method)
      $0.member("registerOptions", registerOptions)
    }
  }
}
