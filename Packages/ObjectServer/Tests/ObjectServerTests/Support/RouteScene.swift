import AccessTokens
@testable import ObjectServer
import Permissions
import Telemetry

/// Users, a realm, a key and offers that one cell of the table of routes is tried on: nobody else's.
struct RouteScene {
  let number: Int
  let user: String
  let administrator: String
  let other: String
  let realm: String
  let key: String
  let offer: String
  let foreignOffer: String
  let refresh: String
  private let accounts: Accounts

  private var directory: any Directory { accounts.directory }

  init(_ number: Int, _ accounts: Accounts) throws {
    self.number = number
    self.accounts = accounts
    (user, administrator, other) = ("ann\(number)", "root\(number)", "ben\(number)")
    (realm, key) = ("/\(user)/todo", "key\(number)")
    (offer, foreignOffer) = ("offer\(number)", "foreign\(number)")
    let (directory, now) = (accounts.directory, accounts.now)
    for name in [user, administrator, other] {
      let id = UserId(name)
      let record = UserRecord(id: id, isAdministrator: name == administrator, createdAt: now)
      _ = try directory.createUser(
        record, identity: IdentityRecord(provider: "local-userpass", name: name, user: id, passwordHash: "none"))
      try directory.createLogin(
        LoginRecord(id: "login-" + name, user: id, app: "app", createdAt: now, expiresAt: now + .seconds(3_600)),
        proof: .lasting)
    }
    let path = try RealmPath(realm), foreign = try RealmPath("/\(other)/list")
    for path in [path, foreign] { try directory.recordRealm(path, createdBy: path.owner ?? "", at: now) }
    try directory.createAPIKey(
      APIKeyRecord(id: key, user: UserId(user), name: "key", digest: "digest\(number)", createdAt: now), by: nil)
    for (token, maker, path) in [(offer, user, path), (foreignOffer, other, foreign)] {
      try directory.createOffer(
        OfferRecord(token: token, user: UserId(maker), path: path, level: .read, createdAt: now))
    }
    refresh = try accounts.issuer.sign(
      TokenClaims(
        kind: .refresh, user: UserId(user), app: "app", login: "login-" + user, issuedAt: now,
        expiresAt: now + .seconds(3_600)))
  }

  /// The body of a registration, or of a login with an account that exists and is unused.
  func credentials(named field: String, new: Bool) -> String {
    let name = new ? "new\(number)" : "spare\(number)"
    if !new { _ = try? accounts.register(name: name, password: "secret") }
    return #"{"\#(field)":"\#(name)","password":"secret"}"#
  }

  /// The token of a column; what it says is made so in the directory.
  func token(_ column: BearerColumn) throws -> String? {
    let user = UserId(user)
    switch column {
    case .none: return nil
    case .full: return try access(user)
    case .administrator: return try access(UserId(administrator))
    case .operator: return try accounts.administratorToken(lifetime: .seconds(60))
    case .manages: return try access(user, path: realm, level: .admin)
    case .writes: return try access(user, path: realm, level: .write)
    case .reads: return try access(user, path: realm, level: .read)
    case .scoped: return try access(UserId(administrator), path: realm, level: .admin)
    case .scopedElsewhere: return try access(UserId(administrator), path: "/\(other)/list", level: .admin)
    case .expired: return try access(user, lifetime: .seconds(-1))
    case .disabled:
      try directory.updateUser(user, isAdministrator: nil, isDisabled: true)
      return try access(user)
    case .removed:
      try directory.deleteUser(user)
      return try access(user)
    case .ended:
      try directory.endLogin("login-" + self.user)
      return try access(user)
    case .refresh: return refresh
    }
  }

  private func access(
    _ user: UserId, path: String? = nil, level: AccessLevel = .admin, lifetime: Duration = .seconds(60)
  ) throws -> String {
    let now = accounts.now
    return try accounts.issuer.sign(
      TokenClaims(
        kind: .access, user: user, app: "app", login: "login-\(user)", issuedAt: now, expiresAt: now + lifetime,
        isAdministrator: true, path: path, level: level))
  }
}
