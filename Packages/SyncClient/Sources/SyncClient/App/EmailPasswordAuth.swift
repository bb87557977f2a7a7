import AuthClient
import ByteCoding

/// Registration, confirmation and passwords by mail, for users with an address and a password.
///
///     try await app.emailPasswordAuth.registerUser(email: "ann@example.org", password: "secret-7")
///
/// Calls throw ``AppError``; completions are called once, on a background thread. Whether a server sends mail is its
/// configuration; without, requests for mail are refused with ``AppError/Code/badRequest``.
public struct EmailPasswordAuth: Sendable {
  let app: App

  /// A completion of a call without an answer.
  public typealias OptionalErrorBlock = @Sendable ((any Error)?) -> Void

  /// Registers a user, who logs in afterwards.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func registerUser(email: String, password: String) async throws {
    try await run { try await $0.register(name: email, password: password) }
  }

  /// Confirms an address with what the mail says.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func confirmUser(_ token: String, tokenId: String) async throws {
    try await run { try await $0.confirmEmail(token: token, tokenId: tokenId) }
  }

  /// Asks for the mail again that confirms an address.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func resendConfirmationEmail(_ email: String) async throws {
    try await run { try await $0.requestEmailConfirmation(email: email) }
  }

  /// ``resendConfirmationEmail(_:)`` under its newer name.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func resendConfirmationEmail(email: String) async throws { try await resendConfirmationEmail(email) }

  /// Asks the server to run its own confirmation again.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func retryCustomConfirmation(_ email: String) async throws {
    try await run { try await $0.retryConfirmation(email: email) }
  }

  /// ``retryCustomConfirmation(_:)`` under its newer name.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func retryCustomConfirmation(email: String) async throws { try await retryCustomConfirmation(email) }

  /// Asks for a mail with which the password can be set anew.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func sendResetPasswordEmail(_ email: String) async throws {
    try await run { try await $0.requestPasswordReset(email: email) }
  }

  /// ``sendResetPasswordEmail(_:)`` under its newer name.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func sendResetPasswordEmail(email: String) async throws { try await sendResetPasswordEmail(email) }

  /// Sets a password with what the mail says.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func resetPassword(to password: String, token: String, tokenId: String) async throws {
    try await run { try await $0.completePasswordReset(token: token, tokenId: tokenId, password: password) }
  }

  /// Asks the server's function for passwords to set one.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func callResetPasswordFunction(email: String, password: String, args: [AnyBSON]) async throws {
    let body = JSONValue.object([
      ("email", .string(email)), ("password", .string(password)), ("arguments", .array(args.map(\.json))),
    ])
    try await run { try await $0.callPasswordReset(body: Array(body.text.utf8)) }
  }

  private func run(_ call: @Sendable (AuthClient) async throws -> Void) async throws {
    let auth = try app.auth
    try await AppError.mapping { try await call(auth) }
  }
}

extension EmailPasswordAuth {
  /// The form of ``registerUser(email:password:)`` with a completion.
  public func registerUser(email: String, password: String, completion: @escaping OptionalErrorBlock) {
    answer(completion) { try await registerUser(email: email, password: password) }
  }

  /// The form of ``confirmUser(_:tokenId:)`` with a completion.
  public func confirmUser(_ token: String, tokenId: String, completion: @escaping OptionalErrorBlock) {
    answer(completion) { try await confirmUser(token, tokenId: tokenId) }
  }

  /// The form of ``resendConfirmationEmail(_:)`` with a completion.
  public func resendConfirmationEmail(_ email: String, completion: @escaping OptionalErrorBlock) {
    answer(completion) { try await resendConfirmationEmail(email) }
  }

  /// The form of ``retryCustomConfirmation(_:)`` with a completion.
  public func retryCustomConfirmation(_ email: String, completion: @escaping OptionalErrorBlock) {
    answer(completion) { try await retryCustomConfirmation(email) }
  }

  /// The form of ``sendResetPasswordEmail(_:)`` with a completion.
  public func sendResetPasswordEmail(_ email: String, completion: @escaping OptionalErrorBlock) {
    answer(completion) { try await sendResetPasswordEmail(email) }
  }

  /// The form of ``resetPassword(to:token:tokenId:)`` with a completion.
  public func resetPassword(
    to password: String, token: String, tokenId: String, completion: @escaping OptionalErrorBlock
  ) {
    answer(completion) { try await resetPassword(to: password, token: token, tokenId: tokenId) }
  }

  /// The form of ``callResetPasswordFunction(email:password:args:)`` with a completion.
  public func callResetPasswordFunction(
    email: String, password: String, args: [AnyBSON], _ completion: @escaping OptionalErrorBlock
  ) {
    answer(completion) { try await callResetPasswordFunction(email: email, password: password, args: args) }
  }
}
