import Transport

/// The failure of a call about users, tokens or permissions, with a remedy.
public struct AuthError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure. Open: more codes may come; compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public var rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The stable name.
    public var description: String { rawValue }

    /// The server cannot be reached; nothing is known about the user.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server cannot prove over TLS that it is the one that was named.
    public static let untrusted = Code(rawValue: "untrusted")
    /// User name or password are wrong, or the token of another provider is.
    public static let invalidCredentials = Code(rawValue: "invalid_credentials")
    /// The user name is taken.
    public static let userExists = Code(rawValue: "user_exists")
    /// No user has that name or id.
    public static let userNotFound = Code(rawValue: "user_not_found")
    /// A user name, password, path or level that the server does not accept.
    public static let invalidParameter = Code(rawValue: "invalid_parameter")
    /// The user may not do this.
    public static let permissionDenied = Code(rawValue: "permission_denied")
    /// The login has ended: by a log-out elsewhere, by a new password, or by age.
    public static let loginEnded = Code(rawValue: "login_ended")
    /// The user is not logged in on this device.
    public static let notLoggedIn = Code(rawValue: "not_logged_in")
    /// Too many attempts; wait.
    public static let tooManyAttempts = Code(rawValue: "too_many_attempts")
    /// The user has no API key of that id.
    public static let keyNotFound = Code(rawValue: "key_not_found")
    /// The app has no function or service of that name.
    public static let functionNotFound = Code(rawValue: "function_not_found")
    /// An offer that does not exist, was withdrawn or has expired.
    public static let offerUnusable = Code(rawValue: "offer_unusable")
    /// The server does not offer this way to log in.
    public static let providerUnavailable = Code(rawValue: "provider_unavailable")
    /// The answer is not one of a realm object server.
    public static let badResponse = Code(rawValue: "bad_response")
    /// The server failed.
    public static let serverFailure = Code(rawValue: "server_failure")
    /// The users on this device cannot be read or written.
    public static let storage = Code(rawValue: "storage")
  }

  /// The kind of failure.
  public var code: Code
  /// The failure, for people.
  public var message: String
  /// The reader's next step, beginning with a verb.
  public var remedy: String
  /// The HTTP status of the answer; nil without an answer.
  public var status: Int?
  /// The server's name for the error, `error_code` of its answer; nil without one.
  public var serverName: String?
  /// The error below this one.
  public var cause: (any Error)?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, remedy: String, status: Int? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.status = status
    self.cause = cause
  }

  /// Message and remedy.
  public var description: String { "\(message); \(remedy)" }

  static func unreachable(_ server: NetworkURL, _ cause: TransportError) -> AuthError {
    let name = "\(server.scheme.rawValue)://\(server.authority)"
    switch cause.code {
    case .certificateRefused:
      return AuthError(
        .untrusted, "the server \(name) is not trusted: \(cause.message)",
        remedy:
          "check that its certificate is for \(server.host), is not expired, and is signed by a trusted authority",
        cause: cause)
    case .tlsFailed:
      return AuthError(
        .unreachable, "the server \(name) does not speak TLS with us: \(cause.message)",
        remedy: "check the port, or use http:// or realm:// where the server has no certificate", cause: cause)
    default:
      return AuthError(
        .unreachable, "the server \(name) cannot be reached: \(cause.message)",
        remedy: "check the address and that the server is running", cause: cause)
    }
  }

  static func badResponse(_ what: String, status: Int?) -> AuthError {
    AuthError(
      .badResponse, "the server's answer cannot be understood: \(what)",
      remedy: "check that the address is that of a realm object server", status: status)
  }

  static let notLoggedIn = AuthError(
    .notLoggedIn, "the user is not logged in on this device", remedy: "log in first")
}
