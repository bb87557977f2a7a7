import AccessTokens
import Cryptography
import Permissions
import Telemetry

/// The operations on users: registration, login, refresh, verification of tokens. Blocks; called on the executor.
struct Accounts: Sendable {
  let directory: any Directory
  let policy: AccountPolicy
  /// The keys of our own tokens.
  let keys: LiveTokenKeys
  /// Other systems whose tokens log users in.
  let providers: TokenProviders
  let random: RandomSource
  let clock: any WallClock
  let hasher: PasswordHasher
  /// Counts password hashes, made and compared.
  var passwordHashes: Counter?

  static let administratorTokenUser = UserId("__admin")

  /// The answer to a login.
  struct Tokens: Hashable, Sendable {
    var user: UserId
    var isAdministrator: Bool
    var access: String
    var refresh: String
    var refreshExpiresAt: WallTime
    var device: String
  }

  init(
    directory: any Directory, policy: AccountPolicy, issuer: TokenIssuer, foreignKeys: [VerificationKey],
    random: RandomSource, clock: any WallClock, keys: LiveTokenKeys? = nil,
    providers: TokenProviders? = nil
  ) {
    self.directory = directory
    self.policy = policy
    self.keys = keys ?? LiveTokenKeys(issuer)
    self.providers = providers ?? TokenProviders(Self.plainProvider(foreignKeys, policy))
    self.random = random
    self.clock = clock
    hasher = PasswordHasher(parameters: .init(logarithmicCost: policy.passwordCost))
  }

  /// The provider that the settings without a name make; none without keys.
  static func plainProvider(_ keys: [VerificationKey], _ policy: AccountPolicy) -> [TokenProvider] {
    guard !keys.isEmpty else { return [] }
    var provider = TokenProvider(name: AuthProvider.customToken.rawValue)
    provider.keys = keys
    provider.rules = policy.foreignTokens
    return [provider]
  }

  var now: WallTime { clock.wallTime }
  /// Signs our own tokens.
  var issuer: TokenIssuer { keys.issuer }

  /// Stores a login of a user and makes its tokens.
  ///
  /// - Parameters:
  ///   - key: the API key that proved the user.
  ///   - proof: what proved the user. It is looked up again in the transaction that stores the login, so an operation that
  ///     ends it ends this login as well, or prevents it.
  /// - Throws: ``APIError`` when the user is disabled or the proof is not valid any more; ``ServerError``.
  func openLogin(
    _ user: UserRecord, app: String, lifetime: Duration, key: String? = nil,
    proof: LoginProof = .lasting
  ) throws -> Tokens {
    guard !user.isDisabled else { throw APIError.disabled }
    let now = now
    let secret = random.hex(digits: 64)
    let login = LoginRecord(
      id: random.hex(digits: 32), user: user.id, app: app, key: key, createdAt: now, expiresAt: now + lifetime,
      refreshToken: RefreshTokenRecord(digest: Self.digest(of: secret)))
    guard try directory.createLogin(login, proof: proof) else {
      throw key == nil ? APIError.wrongPassword : APIError.badKey
    }
    return Tokens(
      user: user.id, isAdministrator: user.isAdministrator, access: try accessToken(user, login),
      refresh: try refreshToken(user, login, secret: secret), refreshExpiresAt: login.expiresAt,
      device: random.hex(digits: 24))
  }

  func refreshToken(_ user: UserRecord, _ login: LoginRecord, secret: String) throws -> String {
    try issuer.sign(
      TokenClaims(
        kind: .refresh, user: user.id, app: login.app, login: login.id, secret: secret, issuedAt: now,
        expiresAt: login.expiresAt, isAdministrator: user.isAdministrator))
  }

  func accessToken(_ user: UserRecord, _ login: LoginRecord) throws -> String {
    let now = now
    return try issuer.sign(
      TokenClaims(
        kind: .access, user: user.id, app: login.app, login: login.id, issuedAt: now,
        expiresAt: min(now + policy.accessTokenLifetime, login.expiresAt), isAdministrator: user.isAdministrator))
  }

  /// A token for the server's operator: every realm, no user, no login.
  func administratorToken(lifetime: Duration) throws -> String {
    try issuer.sign(
      TokenClaims(
        kind: .access, user: Self.administratorTokenUser, app: "", issuedAt: now, expiresAt: now + lifetime,
        isAdministrator: true))
  }
}
