import Transport

/// Passwords and addresses by mail, on servers that send mail. A token may have the form `<id>:<token>`, since the
/// links in mails carry both.
extension AuthClient {
  /// Asks for a mail with a token for a new password. An unknown address is no error.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the server sends no mail; ``AuthError/Code/unreachable``
  public func requestPasswordReset(email: String) async throws {
    try await mail("reset/send", MailBody(email: email))
  }

  /// Sets a password with the token of the mail.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the token is not valid; ``AuthError/Code/unreachable``
  public func completePasswordReset(token: String, password: String) async throws {
    try await mail("reset", MailBody(token: token, password: password))
  }

  /// Asks for the mail again that confirms an address. An unknown address is no error.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when it is confirmed already; ``AuthError/Code/unreachable``
  public func requestEmailConfirmation(email: String) async throws {
    try await mail("confirm/send", MailBody(email: email))
  }

  /// Confirms an address with the token of the mail.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the token is not valid; ``AuthError/Code/unreachable``
  public func confirmEmail(token: String) async throws {
    try await mail("confirm", MailBody(token: token))
  }

  /// Confirms an address with the token of the mail and the token's id.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the token is not valid; ``AuthError/Code/unreachable``
  public func confirmEmail(token: String, tokenId: String) async throws {
    try await mail("confirm", MailBody(token: token, tokenId: tokenId))
  }

  /// Sets a password with the token of the mail and the token's id.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the token is not valid; ``AuthError/Code/unreachable``
  public func completePasswordReset(token: String, tokenId: String, password: String) async throws {
    try await mail("reset", MailBody(token: token, tokenId: tokenId, password: password))
  }

  /// Asks the server to run its own confirmation of a user again.
  ///
  /// - Throws: ``AuthError/Code/invalidParameter`` when the server has none; ``AuthError/Code/unreachable``
  public func retryConfirmation(email: String) async throws {
    try await mail("confirm/call", MailBody(email: email))
  }

  /// Asks the server's own function for passwords to set one.
  ///
  /// - Parameter body: a JSON object with `email`, `password` and `arguments`.
  /// - Throws: ``AuthError/Code/invalidParameter`` when the server has none, or it refuses; ``AuthError/Code/unreachable``
  public func callPasswordReset(body: [UInt8]) async throws {
    try await send(
      AuthCall<Void>(
        "POST", appPath("auth/providers/local-userpass/reset/call"), authorisation: .none, rawBody: body))
  }

  private func mail(_ words: String, _ body: MailBody) async throws {
    do {
      try await send(
        AuthCall<Void>(
          "POST", appPath("auth/providers/local-userpass/\(words)"), authorisation: .none, body: body))
    } catch let error as AuthError where error.code == .userNotFound && body.email != nil {
      // An error here would reveal which addresses have accounts.
      return
    }
  }
}

/// The body of a call about mail.
struct MailBody: Encodable, Sendable {
  var email: String?
  var token: String?
  var tokenId: String?
  var password: String?

  init(email: String) { self.email = email }

  init(token text: String, password: String? = nil) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    token = String(parts.last ?? "")
    tokenId = parts.count == 2 ? parts.first.map(String.init) : ""
    self.password = password
  }

  init(token: String, tokenId: String, password: String? = nil) {
    self.token = token
    self.tokenId = tokenId
    self.password = password
  }
}
