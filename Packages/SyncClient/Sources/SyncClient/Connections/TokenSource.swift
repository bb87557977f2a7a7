import AuthClient
import Concurrency
import Permissions
import Telemetry
import Transport

/// Where a connection gets its access tokens.
public protocol TokenSource: Sendable {
  /// Gives a token on the network's loop, never before this call returns.
  ///
  /// - Parameter renewing: the server refused the present one.
  func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void)
}

/// Why there is no token.
public enum TokenFailure: Error, Sendable {
  /// The server cannot be reached; try later.
  case unreachable(String)
  /// The login is over: only a new one helps.
  case loginEnded(String)
}

/// The tokens of a user who is logged in on this device. Works offline as long as the remembered token is valid.
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

  public func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    let known = auth.user(user)
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

/// One token for ever, as for tests and tools.
public struct FixedTokenSource: TokenSource {
  private let text: String
  private let scheduler: any Scheduler

  /// Always gives `token`.
  public init(_ token: String, scheduler: any Scheduler) {
    text = token
    self.scheduler = scheduler
  }

  public func token(renewing: Bool, completion: @escaping @Sendable (Result<String, TokenFailure>) -> Void) {
    let result: Result<String, TokenFailure> =
      renewing ? .failure(.loginEnded("the server refuses the token")) : .success(text)
    scheduler.execute { completion(result) }
  }
}
