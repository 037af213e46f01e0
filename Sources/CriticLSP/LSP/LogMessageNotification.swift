/// The params of `window/logMessage`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#window_logMessage
typealias LogMessageParams = ShowMessageParams
