/// The refusal of a token, with the bearer's next step.
public struct TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable {
    /// The token has expired: refresh it.
    case expired
    /// A refresh token in place of an access token, or the other way round.
    case wrongKind
    /// Not a token, a wrong signature, or missing claims: log in again.
    case invalid
  }

  /// The kind of refusal.
  public var code: Code
  /// The reason and the remedy, without parts of the token.
  public var message: String

  /// An error with all its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
