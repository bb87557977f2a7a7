import Cryptography
import Permissions
import Telemetry

/// A user as another system names them.
struct ForeignUser: Hashable, Sendable {
  /// The provider, as identities in the directory have it.
  var provider: String
  var name: String
  /// Whether they administer the server; nil when the other system does not say.
  var isAdministrator: Bool?
}

extension Accounts {
  /// Logs in the bearer of another system's token, and creates the user at the first login.
  ///
  /// - Parameter name: the provider that the client chose; nil for any that accepts the token.
  /// - Throws: ``APIError``; ``ServerError``.
  func logIn(customToken text: String, app: String, provider name: String? = nil) throws -> Tokens {
    try logIn(foreignUser(text, provider: name), app: app)
  }

  /// Logs in a user of another system, and creates them at the first login.
  ///
  /// - Throws: ``APIError``; ``ServerError``.
  func logIn(_ foreign: ForeignUser, app: String) throws -> Tokens {
    var user = try customUser(foreign)
    if let isAdministrator = foreign.isAdministrator, isAdministrator != user.isAdministrator {
      user.isAdministrator = isAdministrator
      try directory.updateUser(user.id, isAdministrator: isAdministrator, isDisabled: nil)
    }
    return try openLogin(user, app: app, lifetime: policy.refreshTokenLifetime)
  }

  /// The user that another system's token names.
  ///
  /// The user is the claim that the provider says, or `userId`, or `sub`. Claims that are not named here are not read.
  ///
  /// - Throws: ``APIError`` with 401, saying which rule the token breaks; with 404 while there is no provider.
  func foreignUser(_ text: String, provider name: String? = nil) throws(APIError) -> ForeignUser {
    guard !providers.isEmpty else { throw .noProvider(name ?? AuthProvider.customToken.rawValue) }
    let issuer = (try? JSONWebToken.parseWithoutVerification(text))?.registered.issuer
    let candidates = providers.candidates(issuer: issuer, named: name)
    var refusal = APIError(401, .authError, "the token is of another issuer: check iss")
    for provider in candidates.isEmpty ? providers.all.filter({ name == nil || $0.name == name }) : candidates {
      do throws(APIError) {
        return try foreignUser(text, of: provider)
      } catch {
        refusal = error
      }
    }
    throw refusal
  }

  private func foreignUser(_ text: String, of provider: TokenProvider) throws(APIError) -> ForeignUser {
    let token: JSONWebToken
    let (rules, seconds) = (provider.rules, now.secondsSince1970)
    let claims: [String: ClaimText]
    do throws(JSONWebTokenError) {
      token = try JSONWebToken.verify(
        text, with: providers.keys(of: provider), at: seconds, leeway: rules.leeway.components.seconds)
      claims = try token.claims(as: [String: ClaimText].self)
    } catch {
      throw APIError(401, .authError, "\(error)")
    }
    if let flaw = rules.flaw(of: token.registered, at: seconds) { throw APIError(401, .authError, flaw) }
    let identity: String? =
      if let claim = provider.identityClaim { claims[claim]?.text } else {
        claims["userId"]?.text ?? claims["sub"]?.text
      }
    guard let name = identity, (try? checkName(name)) != nil else {
      throw APIError(
        401, .authError,
        "the token names no user: it needs the claim \(provider.identityClaim ?? "sub"), 1 to \(Self.maximumNameBytes) "
          + "bytes without control characters")
    }
    return ForeignUser(
      provider: Self.identityProvider(provider.name), name: name,
      isAdministrator: claims[provider.administratorClaim]?.text.map { $0 == provider.administratorValue })
  }

  /// The provider of identities of a provider of tokens; that of the settings without a name has the plain one.
  static func identityProvider(_ name: String) -> String {
    let plain = AuthProvider.customToken.rawValue
    return name == plain ? plain : plain + ":" + name
  }

  /// A claim as text: a string, a number without fraction, true or false. Others count as no text.
  private struct ClaimText: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let string = try? container.decode(String.self) {
        text = string
      } else if let flag = try? container.decode(Bool.self) {
        text = flag ? "true" : "false"
      } else if let number = try? container.decode(Int64.self) {
        text = String(number)
      }
    }
  }

  /// Whether an id that a removed user had is that of a user of another system: nobody had it, or the same identity.
  private func isOwn(_ removed: [IdentityRecord], _ foreign: ForeignUser) -> Bool {
    removed.isEmpty || removed.contains { $0.provider == foreign.provider && $0.name == foreign.name }
  }

  private func customUser(_ foreign: ForeignUser) throws -> UserRecord {
    func known() throws -> UserRecord? {
      try directory.identity(provider: foreign.provider, name: foreign.name).flatMap { try directory.user($0.user) }
    }
    if let user = try known() { return user }
    // The identity becomes the id, unless it cannot stand in a path or is, or was, somebody else's.
    let wanted = UserId(foreign.name)
    let isFree =
      try wanted.isPathSegment && !foreign.name.hasPrefix("__") && directory.user(wanted) == nil
      && isOwn(directory.removedIdentities(of: wanted), foreign)
    let user = UserRecord(id: isFree ? wanted : newUserId(), createdAt: now)
    let identity = IdentityRecord(provider: foreign.provider, name: foreign.name, user: user.id)
    if try directory.createUser(user, identity: identity) { return user }
    // Another login with the same identity created the user first.
    guard let winner = try known() else { throw APIError.storage }
    return winner
  }
}
