import AccessTokens
import ObjectServer
import Permissions
import Telemetry
import TestKit

enum TestClaims {
  static let access = TokenClaims(
    kind: .access, user: "ann", app: "app", issuedAt: WallTime(secondsSince1970: 1),
    expiresAt: WallTime(secondsSince1970: 2_000_000_000))
}

/// One random call on a directory, with its answer as text.
enum Edit {
  case createUser(Int), updateUser(Int, Bool), deleteUser(Int), setHash(Int, Int), replaceHash(Int, Int)
  case createLogin(Int, Int), endLogin(Int), endLogins(Int, Int), removeExpired(Int)
  case storeKey(Int, Int), deleteKeys(Int), endLoginsOfKey(Int)
  case record(Int), deleteRealm(Int), renameRealm(Int, Int), grant(Int, Int, AccessLevel), offer(Int, Int), deleteOffer(
    Int)

  init(using random: inout SeededGenerator) {
    let (a, b) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random))
    switch Int.random(in: 0..<21, using: &random) {
    case 0, 1: self = .createUser(a)
    case 2: self = .updateUser(a, Bool.random(using: &random))
    case 3: self = .deleteUser(a)
    case 4: self = .setHash(a, b)
    case 5, 6: self = .createLogin(a, b)
    case 7: self = .endLogin(a)
    case 8: self = .endLogins(a, b)
    case 9: self = .removeExpired(a)
    case 10: self = .record(a)
    case 14: self = .deleteRealm(a)
    case 15: self = .renameRealm(a, b)
    case 16, 17: self = .storeKey(a, b)
    case 18: self = .deleteKeys(a)
    case 20: self = .replaceHash(a, b)
    case 19: self = .endLoginsOfKey(a)
    case 11, 12: self = .grant(a, b, AccessLevel.allCases.randomElement(using: &random) ?? .read)
    default: self = Bool.random(using: &random) ? .offer(a, b) : .deleteOffer(a)
    }
  }

  private static func user(_ number: Int) -> UserId { UserId("user\(number)") }
  private static func path(_ number: Int) throws -> RealmPath {
    try RealmPath(["/user0/a", "/user0/b", "/user1/a", "/news", "\"team\""][number])
  }
  private static func time(_ number: Int) -> WallTime { WallTime(secondsSince1970: Int64(1_000 + number)) }

  func apply(to directory: any Directory) throws -> String {
    switch self {
    case .createUser(let n):
      return
        "\(try directory.createUser(UserRecord(id: Self.user(n), createdAt: Self.time(n)), identity: IdentityRecord(provider: "p", name: "n\(n)", user: Self.user(n), passwordHash: n == 2 ? nil : "h")))"
    case .updateUser(let n, let flag):
      try directory.updateUser(
        UserRecord(id: Self.user(n), isAdministrator: flag, isDisabled: !flag, createdAt: Self.time(9)))
    case .deleteUser(let n): return "\(try directory.deleteUser(Self.user(n)))"
    case .setHash(let n, let hash): try directory.setPasswordHash("hash\(hash)", provider: "p", name: "n\(n)")
    case .replaceHash(let n, let hash):
      let isReplaced = try directory.replacePasswordHash(
        "hash\(hash)", with: "hash\(hash + 1)", provider: "p", name: "n\(n)")
      return "\(isReplaced) " + (try Self.summary(of: directory))
    case .createLogin(let n, let user):
      let isMade = try directory.createLogin(
        LoginRecord(
          id: "l\(n)", user: Self.user(user), app: "x", key: n > 1 ? "k\(n)" : nil, createdAt: Self.time(n),
          expiresAt: Self.time(n + user)))
      return "\(isMade) " + (try Self.summary(of: directory))
    case .endLogin(let n): try directory.endLogin("l\(n)")
    case .endLogins(let user, let n):
      return "\(try directory.endLogins(of: Self.user(user), except: n == 0 ? nil : "l\(n)"))"
    case .removeExpired(let n): try directory.removeExpired(before: Self.time(n))
    case .storeKey(let n, let user):
      try directory.storeAPIKey(
        APIKeyRecord(
          id: "k\(n)", user: Self.user(user), name: "name\(n)", digest: "digest\(n)", createdAt: Self.time(user)))
    case .deleteKeys(let user): return "\(try directory.deleteAPIKeys(of: Self.user(user)))"
    case .endLoginsOfKey(let n): return "\(try directory.endLogins(withKey: "k\(n)"))"
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
    return try Self.summary(of: directory)
  }

  /// Everything that can be read.
  static func summary(of directory: any Directory) throws -> String {
    var lines = try directory.users().map { "\($0)" }
    for n in 0..<5 {
      lines.append("\(String(describing: try directory.user(user(n))))")
      lines.append(
        "\(try directory.identities(of: user(n))) \(String(describing: try directory.identity(provider: "p", name: "n\(n)")))"
      )
      lines.append("\(String(describing: try directory.login("l\(n)")))")
      lines.append("\(try directory.apiKeys(of: user(n)))")
      lines.append("\(try directory.facts(of: path(n)))")
      for m in 0..<5 {
        let grantee: Grantee = m == 4 ? .everyone : .user(user(m))
        lines.append("\(String(describing: try directory.withdrawal(of: grantee, from: path(n))))")
      }
      lines.append("\(try directory.realms(in: user(n))) \(try directory.grants(to: user(n)))")
      lines.append("\(String(describing: try directory.offer("t\(n)"))) \(try directory.offers(of: user(n)))")
    }
    return lines.joined(separator: "\n")
  }
}
