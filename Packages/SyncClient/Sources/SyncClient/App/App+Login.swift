import AuthClient
import Foundation

extension App {
  /// Logs a user in, remembers them between launches, and makes them the current one.
  ///
  /// Anonymous credentials give the anonymous user of this device, while there is one who is logged in.
  ///
  /// - Throws: ``AppError``: wrong credentials, a provider that the server does not offer, or a server out of reach.
  @discardableResult
  public func login(credentials: Credentials) async throws -> User {
    let auth = try auth
    if case .anonymous = credentials, let known = auth.loggedInUsers.first(where: \.isAnonymous) {
      return self.switch(to: syncManager.user(known.id, of: auth, server: server))
    }
    return try await AppError.mapping {
      let stored = try await auth.logIn(credentials.proof, readsProfile: true)
      let user = syncManager.user(stored.id, of: auth, server: server)
      user.loginBegan()
      return user
    }
  }

  /// The form of ``login(credentials:)`` with a completion, which is called once, on a background thread.
  public func login(
    credentials: Credentials, _ completion: @escaping @Sendable (Result<User, any Error>) -> Void
  ) {
    answer(completion) { try await self.login(credentials: credentials) }
  }
}

/// Calls a completion with the outcome of work.
func answer<Value: Sendable>(
  _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
  _ work: @escaping @Sendable () async throws -> Value
) {
  Task {
    do {
      completion(.success(try await work()))
    } catch {
      completion(.failure(error))
    }
  }
}

/// Calls a completion with the error of work; nil when there was none.
func answer(
  _ completion: @escaping @Sendable ((any Error)?) -> Void, _ work: @escaping @Sendable () async throws -> Void
) {
  Task {
    do {
      try await work()
      completion(nil)
    } catch {
      completion(error)
    }
  }
}
