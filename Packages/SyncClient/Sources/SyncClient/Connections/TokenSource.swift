import AuthClient
import Concurrency
import Permissions
import Telemetry
import Transport

/// A source of access tokens for connections.
public protocol TokenSource: Sendable {
  /// Gets a token. `completion` is called once, on the network's loop, never before this call returns.
  ///
  /// - Parameter renewing: whether the server refused the present token.
  func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void)
}

/// The reason for a missing token.
public enum TokenFailure: Error, Sendable {
  /// The server cannot be reached; try later.
  case unreachable(String)
  /// The login has ended: the user must log in again.
  case loginEnded(String)
}

/// The tokens of a user who is logged in on this device. Gives the stored token while it is valid, also offline.
public struct AuthTokenSource: TokenSource {
  let auth: AuthClient
  let user: UserId
  let scheduler: any Scheduler

  /// The tokens of `user`, given on `scheduler`, the loop of the network that `auth` uses.
  public init(auth: AuthClient, user: UserId, scheduler: any Scheduler) {
    self.auth = auth
    self.user = user
    self.scheduler = scheduler
  }

  /// Gives the stored token while it is fresh, and a new one of the server otherwise.
  public func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    let known = auth.bearer(user)
    let isUsable = known?.hasFreshToken(at: auth.clock.wallTime) ?? false
    if let token = known?.accessToken, !renewing, isUsable || known?.refreshToken == nil {
      let text = token.unredacted
      return scheduler.execute { completion(.success(text)) }
    }
    auth.refresh(user) { result in
      completion(result.mapError(Self.failure))
    }
  }

  private static func failure(_ error: AuthError) -> TokenFailure {
    switch error.code {
    case .loginEnded, .notLoggedIn, .invalidCredentials, .permissionDenied: .loginEnded(error.description)
    default: .unreachable(error.description)
    }
  }
}

/// A constant token, for tests and tools.
public struct FixedTokenSource: TokenSource {
  private let text: String
  private let scheduler: any Scheduler

  /// Always gives `token`.
  public init(_ token: String, scheduler: any Scheduler) {
    text = token
    self.scheduler = scheduler
  }

  /// Gives the token; fails when the server refused it.
  public func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    let result: Result<String, TokenFailure> =
      renewing ? .failure(.loginEnded("the server refuses the token")) : .success(text)
    scheduler.execute { completion(result) }
  }
}
