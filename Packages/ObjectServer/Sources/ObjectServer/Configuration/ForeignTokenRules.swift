import Cryptography

/// The claims that the token of another system needs, beside the signature with a configured key, to log its user in.
///
///     var rules = ForeignTokenRules()
///     rules.audiences = ["todo-abcde"]
///     rules.issuers = ["https://login.example.org/"]
///
/// `exp` is demanded always. A token that names audiences is for one of those alone: while none is configured here, only
/// tokens without `aud` are accepted.
public struct ForeignTokenRules: Hashable, Sendable {
  /// The names of this server or app, one of which must be in `aud`; empty for tokens that name no audience.
  public var audiences: Set<String> = []
  /// The makers, one of which `iss` must name; empty for any.
  public var issuers: Set<String> = []
  /// By how much the clock of the other system may be ahead, for `nbf` and `iat`.
  public var leeway: Duration = .seconds(60)

  /// The rules above.
  public init() {}

  /// The rule that a token breaks at `now`, with what to do about it; nil for none. The signature is not looked at.
  func flaw(of claims: RegisteredClaims, at now: Int64) -> String? {
    let soon = now.addingReportingOverflow(leeway.components.seconds)
    let latest = soon.overflow ? .max : soon.partialValue
    guard let end = claims.expiresAt else { return "the token has no exp: let it end" }
    guard end > now else { return "the token expired at \(end) (seconds since 1970): get a new one" }
    for (name, time) in [("nbf", claims.notBefore), ("iat", claims.issuedAt)] {
      if let time, time > latest { return "the token's \(name) is \(time) (seconds since 1970): check the clocks" }
    }
    if audiences.isEmpty {
      guard claims.audience.isEmpty else {
        return "the token is for an audience, and the server was not told its own: set jwt-audience"
      }
    } else {
      guard !audiences.isDisjoint(with: claims.audience) else { return "the token is for another audience: check aud" }
    }
    guard issuers.isEmpty || claims.issuer.map(issuers.contains) ?? false else {
      return "the token is of another issuer: check iss"
    }
    return nil
  }
}
