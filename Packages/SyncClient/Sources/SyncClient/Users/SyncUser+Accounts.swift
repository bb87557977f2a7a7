import AuthClient
import Foundation
import ObjectStore
import Transport

extension SyncUser {
  /// The form of
  /// ``configuration(realmURL:fullSynchronization:serverValidationPolicy:urlPrefix:cancelAsyncOpenOnNonFatalErrors:clientResetMode:)``
  /// with a switch for the proof of identity. Without validation any machine can pretend to be the server: for tests
  /// only.
  public func configuration(
    realmURL: URL? = nil, fullSynchronization: Bool = false, enableSSLValidation: Bool, urlPrefix: String? = nil
  ) -> Realm.Configuration {
    configuration(
      realmURL: realmURL, fullSynchronization: fullSynchronization,
      serverValidationPolicy: enableSSLValidation ? .system : .none, urlPrefix: urlPrefix)
  }

  /// The handler of a login's end on the server: logged out elsewhere, disabled, or too old. Called once for each
  /// login, on the client's loop, with ``SyncAuthError/Code/invalidAccessToken``. Local realms stay open, and sync goes
  /// on when the user logs in again.
  public var errorHandler: (@Sendable (SyncUser, SyncAuthError) -> Void)? {
    get { login.withLock { $0.errorHandler } }
    set { login.withLock { $0.errorHandler = newValue } }
  }

  /// The server refuses the login. Calls the handler once for each login.
  func loginEnded(_ error: SyncError) {
    let handler = login.withLock { login in
      defer { login.hasEnded = true }
      return login.hasEnded ? nil : login.errorHandler
    }
    handler?(self, SyncAuthError(.invalidAccessToken, error.message, remedy: "log in again"))
  }

  /// The user has logged in: sessions that the end of the earlier login stopped go on.
  func loginBegan() {
    let hadEnded = login.withLock { login in
      defer { login = Login(errorHandler: login.errorHandler) }
      return login.hasEnded
    }
    manager.leftFiles.keep(folder)
    guard hadEnded else { return }
    for session in allSessions where session.status.lastError?.code == .underlyingAuthError { session.resume() }
  }

  // MARK: Mail

  /// Asks a server to mail a token with which the password can be set anew. An unknown address is no error, so that the
  /// answer does not reveal accounts. `completion` is called once, on any thread.
  ///
  /// OpenRealm's server sends no mail: it answers that an administrator sets forgotten passwords.
  public static func requestPasswordReset(
    forAuthServer serverURL: URL, userEmail email: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    mail(serverURL, completion) { try await $0.requestPasswordReset(email: email) }
  }

  /// Sets a password with the token of the mail. `completion` is called once, on any thread.
  public static func completePasswordReset(
    forAuthServer serverURL: URL, token: String, password newPassword: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    mail(serverURL, completion) { try await $0.completePasswordReset(token: token, password: newPassword) }
  }

  /// Asks a server to mail the token again that confirms an address. An unknown address is no error. `completion` is
  /// called once, on any thread.
  public static func requestEmailConfirmation(
    forAuthServer serverURL: URL, userEmail email: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    mail(serverURL, completion) { try await $0.requestEmailConfirmation(email: email) }
  }

  /// Confirms an address with the token of the mail. `completion` is called once, on any thread.
  public static func confirmEmail(
    forAuthServer serverURL: URL, token: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    mail(serverURL, completion) { try await $0.confirmEmail(token: token) }
  }

  private static func mail(
    _ server: URL, _ completion: @escaping @Sendable ((any Error)?) -> Void,
    _ call: @escaping @Sendable (AuthClient) async throws -> Void
  ) {
    Task {
      do {
        try await call(try SyncManager.shared.auth(for: server))
        completion(nil)
      } catch let error as AuthError {
        completion(SyncAuthError(error))
      } catch let error as TransportError {
        completion(SyncAuthError(.invalidParameters, "\(error)", remedy: "use an address such as http://host:9080"))
      } catch {
        completion(error)
      }
    }
  }
}
