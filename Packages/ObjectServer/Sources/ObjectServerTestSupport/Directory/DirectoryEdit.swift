public import ObjectServer
import Permissions
import Telemetry

/// One random call on a directory, with its answer as text.
public enum DirectoryEdit: Sendable {
  case moveIdentity(Int, Int), createUser(Int), updateUser(Int, Bool?, Bool?), deleteUser(Int), setPassword(Int, Int),
    replaceHash(Int, Int)
  case createLogin(Int, Int), endLogin(Int), endLogins(Int, Int), removeExpired(Int)
  case createKey(Int, Int), setKey(Int, Bool), deleteKey(Int), rotate(Int, Int)
  case record(Int), deleteRealm(Int), renameRealm(Int, Int), grant(Int, Int, AccessLevel), offer(Int, Int), deleteOffer(
    Int)

  /// A call.
  public init(using random: inout some RandomNumberGenerator) {
    let (a, b) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
    switch Int.random(in: 0..<24, using: &random) {
    case 0, 1: self = .createUser(a)
    case 2: self = .updateUser(a, [nil, true, false][b % 3], [nil, true, false, false][a % 4])
    case 3: self = .deleteUser(a)
    case 4: self = .setPassword(a, b)
    case 5, 6: self = .createLogin(a, b)
    case 7: self = .endLogin(a)
    case 8: self = .endLogins(a, b)
    case 9: self = .removeExpired(a)
    case 10: self = .record(a)
    case 14: self = .deleteRealm(a)
    case 15: self = .renameRealm(a, b)
    case 16, 17: self = .createKey(a, b)
    case 18: self = .setKey(a, b % 2 == 0)
    case 21: self = .rotate(a, b)
    case 22, 23: self = .moveIdentity(a, b)
    case 20: self = .replaceHash(a, b)
    case 19: self = .deleteKey(a)
    case 11, 12: self = .grant(a, b, AccessLevel.allCases.randomElement(using: &random) ?? .read)
    default: self = Bool.random(using: &random) ? .offer(a, b) : .deleteOffer(a)
    }
  }

  private static func user(_ number: Int) -> UserId { UserId("user\(number)") }
  private static func path(_ number: Int) throws -> RealmPath {
    try RealmPath(["/user0/a", "/user0/b", "/user0/a/__partial/user1/v", "/news", "\"team\""][number])
  }
  private static func time(_ number: Int) -> WallTime { WallTime(secondsSince1970: Int64(1_000 + number)) }

  /// Makes the call.
  ///
  /// - Returns: its answer, and everything that can be read afterwards.
  /// - Throws: the directory's error.
  public func apply(to directory: any Directory) throws -> String {
    try perform(on: directory) + " " + Self.summary(of: directory)
  }

  /// Whether the call is one function of the directory, so that it is whole wherever it stands among others.
  public var isOneFunction: Bool { if case .moveIdentity = self { false } else { true } }

  /// Makes the call.
  ///
  /// - Returns: its answer; empty when it has none.
  /// - Throws: the directory's error.
  public func perform(on directory: any Directory) throws -> String {
    switch self {
    case .createUser(let n):
      return
        "\(try directory.createUser(UserRecord(id: Self.user(n), createdAt: Self.time(n)), identity: IdentityRecord(provider: "p", name: "n\(n)", user: Self.user(n), passwordHash: n == 2 ? nil : "h")))"
    case .updateUser(let n, let administers, let disabled):
      return "\(try directory.updateUser(Self.user(n), isAdministrator: administers, isDisabled: disabled))"
    case .moveIdentity(let n, let user):
      // The identity as it is, or one that was read before.
      let known = try directory.identity(provider: "p", name: "n\(n)")
      let identity = known ?? IdentityRecord(provider: "p", name: "n\(n)", user: Self.user(n), passwordHash: "h")
      return "\(try directory.moveIdentity(identity, to: Self.user(user)))"
    case .deleteUser(let n): return "\(try directory.deleteUser(Self.user(n)))"
    case .setPassword(let n, let hash):
      let identity = IdentityRecord(provider: "p", name: "n\(n)", user: Self.user(n))
      let removed = try directory.setPassword(
        "hash\(hash)", of: identity, keepingLogin: "l\(hash)", keepsKeys: hash % 2 == 0)
      return "\(removed)"
    case .replaceHash(let n, let hash):
      let isReplaced = try directory.replacePasswordHash(
        "hash\(hash)", with: "hash\(hash + 1)", provider: "p", name: "n\(n)")
      return "\(isReplaced)"
    case .createLogin(let n, let user):
      let isMade = try directory.createLogin(
        LoginRecord(
          id: "l\(n)", user: Self.user(user), app: "x", key: n > 1 ? "k\(n)" : nil, createdAt: Self.time(n),
          expiresAt: Self.time(n + user), refreshToken: n == 3 ? nil : RefreshTokenRecord(digest: "d0")),
        proof: [
          .lasting, .password(provider: "p", name: "n\(user)", hash: "hash\(n)"), .apiKey(digest: "digest\(n)"),
        ][(n + user) % 3])
      return "\(isMade)"
    case .endLogin(let n): try directory.endLogin("l\(n)")
    case .endLogins(let user, let n):
      return "\(try directory.endLogins(of: Self.user(user), except: n == 0 ? nil : "l\(n)"))"
    case .removeExpired(let n): try directory.removeExpired(before: Self.time(n))
    case .createKey(let n, let user):
      let key = APIKeyRecord(
        id: "k\(n)", user: Self.user(user), name: "name\(n)", digest: "digest\(n)", createdAt: Self.time(user))
      return "\(try directory.createAPIKey(key, by: n % 2 == 0 ? "l\(user)" : nil))"
    case .setKey(let n, let isDisabled):
      return "\(try directory.setAPIKey("k\(n)", isDisabled: isDisabled))"
    case .deleteKey(let n): return "\(try directory.deleteAPIKey("k\(n)"))"
    case .rotate(let n, let step):
      let old = RefreshTokenRecord(
        digest: "d\(step)", previousDigest: step > 0 ? "d\(step - 1)" : nil, nonce: step > 0 ? "nonce" : nil,
        rotatedAt: step > 0 ? Self.time(step) : nil)
      let new = RefreshTokenRecord(
        digest: "d\(step + 1)", previousDigest: old.digest, nonce: "nonce", rotatedAt: Self.time(step + 1))
      let isReplaced = try directory.replaceRefreshToken(
        step == 4 ? nil : old, with: new, of: "l\(n)", expiresAt: Self.time(step + n))
      return "\(isReplaced)"
    case .record(let n):
      return "\(try directory.recordRealm(Self.path(n), createdBy: Self.user(n), at: Self.time(n)))"
    case .deleteRealm(let n): return "\(try directory.deleteRealm(Self.path(n)))"
    case .renameRealm(let n, let other): return "\(try directory.renameRealm(Self.path(n), to: Self.path(other)))"
    case .grant(let n, let user, let level):
      let grantee: Grantee = user == 4 ? .everyone : .user(Self.user(user))
      try directory.setGrant(
        Grant(path: try Self.path(n), grantee: grantee, level: level, updatedAtMilliseconds: Int64(user + n)))
    case .offer(let n, let user):
      try directory.createOffer(
        OfferRecord(
          token: "t\(n)", user: Self.user(user), path: try Self.path(n), level: .read, createdAt: Self.time(user),
          expiresAt: user == 0 ? nil : Self.time(user + n)))
    case .deleteOffer(let n): try directory.deleteOffer("t\(n)")
    }
    return ""
  }

  /// Everything that can be read.
  ///
  /// - Throws: the directory's error.
  public static func summary(of directory: any Directory) throws -> String {
    var lines = try directory.users().map { "\($0)" }
    lines += try directory.users(matching: "n", after: user(1), limit: 2).map { "\($0)" }
    lines += try directory.users(matching: nil, after: nil, limit: 3).map { "\($0)" }
    lines.append("\(try directory.userCount())")
    for search in [
      RealmSearch(limit: 2), RealmSearch("r", hasPartialViews: false, skip: 1, limit: 1),
      RealmSearch("/", after: try path(1).description, limit: 10), RealmSearch("none", limit: 3), RealmSearch(limit: 0),
    ] {
      lines.append("\(try directory.realms(search))")
    }
    let position = try directory.changes(after: nil).position
    lines.append("\(try directory.changes(after: max(0, position - 3)))")
    for n in 0..<5 {
      lines.append("\(String(describing: try directory.user(user(n))))")
      lines.append(
        "\(try directory.identities(of: user(n))) \(String(describing: try directory.identity(provider: "p", name: "n\(n)")))"
      )
      lines.append("\(try directory.removedIdentities(of: user(n)))")
      lines.append("\(String(describing: try directory.login("l\(n)")))")
      lines.append("\(try directory.apiKeys(of: user(n)))")
      lines.append("\(try directory.facts(of: path(n)))")
      for m in 0..<5 {
        let grantee: Grantee = m == 4 ? .everyone : .user(user(m))
        lines.append("\(String(describing: try directory.withdrawal(of: grantee, from: path(n))))")
      }
      lines.append(
        "\(try directory.realms(in: user(n))) \(try directory.grants(to: user(n))) \(try directory.grants(inFolderOf: user(n)))"
      )
      lines.append("\(String(describing: try directory.offer("t\(n)"))) \(try directory.offers(of: user(n)))")
    }
    return lines.joined(separator: "\n")
  }
}
