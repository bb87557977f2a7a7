/// Why a token was not accepted, with what its bearer can do.
public struct TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Hashable, Sendable {
    /// It was valid and no longer is: refresh it.
    case expired
    /// It is a refresh token where an access token is needed, or the other way round.
    case wrongKind
    /// It is not a token, its signature is wrong, or claims are missing: log in again.
    case invalid
  }

  /// What is wrong.
  public var code: Code
  /// What happened and what to do, without parts of the token.
  public var message: String

  /// An error with all its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
