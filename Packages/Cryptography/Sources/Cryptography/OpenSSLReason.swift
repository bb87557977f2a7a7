import COpenSSL

/// OpenSSL keeps the reasons of failures in a queue per thread.
enum OpenSSLReason {
  /// Takes the first reason and empties the queue, so that it cannot be blamed on a later call.
  static func take() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
    return String(cString: text)
  }

  /// A failure of OpenSSL itself.
  static func failure(_ what: String) -> CryptographyError {
    CryptographyError(.libraryFailure, "OpenSSL could not \(what)", cause: take())
  }
}
