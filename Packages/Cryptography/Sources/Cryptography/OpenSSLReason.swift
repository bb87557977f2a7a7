import COpenSSL

/// The reasons of OpenSSL's failures, which it keeps in a queue per thread.
enum OpenSSLReason {
  /// Takes the first reason and empties the queue, so that a later call does not find the rest.
  static func take() -> String? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
    return String(cString: text)
  }

  /// The failure of an operation, named by a verb: "OpenSSL could not sign".
  static func failure(_ operation: String) -> CryptographyError {
    CryptographyError(.libraryFailure, "OpenSSL could not \(operation)", cause: take())
  }
}
