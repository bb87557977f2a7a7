public import ObjectServer
import Permissions
import Synchronization
import Telemetry

/// A law that holds for each directory, whatever stores it.
public enum DirectoryLaw: String, CaseIterable, Sendable {
  case aPathIsNewOnce, aRemovedUserHasNoLogin, aKeyEndsWithItsLogin, aPartialViewFollowsItsRealm
  case anIdentityInUseStays, changesAreTold, unknownPositionsAreIncomplete
  case logoutReachesOthers, suspensionReachesOthers, revocationReachesOthers
  /// Texts are compared and ordered by their bytes. Not in memory, where Swift compares them.
  case textsAreBytes

  /// The laws that a ``MemoryDirectory`` obeys as well.
  public static var ofMemory: [DirectoryLaw] { allCases.filter { $0 != .textsAreBytes } }

  /// Tries the law.
  ///
  /// - Parameters:
  ///   - one: an empty directory.
  ///   - other: the same directory, as another process has it open.
  /// - Throws: ``BrokenLaw``; the directory's error.
  public func check(_ one: any Directory, _ other: any Directory) throws {
    switch self {
    case .aPathIsNewOnce: try Self.aPathIsNewOnce(one)
    case .aRemovedUserHasNoLogin: try Self.aRemovedUserHasNoLogin(one)
    case .aKeyEndsWithItsLogin: try Self.aKeyEndsWithItsLogin(one)
    case .aPartialViewFollowsItsRealm: try Self.aPartialViewFollowsItsRealm(one)
    case .anIdentityInUseStays: try Self.anIdentityInUseStays(one)
    case .changesAreTold: try Self.changesAreTold(one)
    case .unknownPositionsAreIncomplete: try Self.unknownPositionsAreIncomplete(one)
    case .logoutReachesOthers:
      try Self.reachesOthers(one, other, .user("ann")) { try $0.endLogin("login ann") }
    case .suspensionReachesOthers:
      try Self.reachesOthers(one, other, .user("ann")) {
        try $0.updateUser("ann", isAdministrator: nil, isDisabled: true)
      }
    case .revocationReachesOthers:
      let realm = try RealmPath("/ann/todo")
      try Self.reachesOthers(one, other, .realm(realm)) {
        try $0.setGrant(Grant(path: realm, grantee: .user("ben"), level: .none))
      }
      try expect(try other.withdrawal(of: .user("ben"), from: realm) != nil, "the other one knows the withdrawal")
    case .textsAreBytes: try Self.textsAreBytes(one)
    }
  }

  static let time = WallTime(secondsSince1970: 1_000)

  /// A user of this id and name, with a password's hash and a login.
  static func addUser(_ name: String, to directory: any Directory, isAdministrator: Bool = false) throws {
    let identity = identity(name)
    try expect(
      try directory.createUser(
        UserRecord(id: UserId(name), isAdministrator: isAdministrator, createdAt: time), identity: identity),
      "the user \(name) is created")
    try directory.createLogin(
      LoginRecord(id: "login " + name, user: UserId(name), app: "a", createdAt: time, expiresAt: time), proof: .lasting)
  }

  static func identity(_ name: String) -> IdentityRecord {
    IdentityRecord(provider: "local-userpass", name: name, user: UserId(name), passwordHash: "hash of \(name)")
  }
}

/// A law that does not hold.
public struct BrokenLaw: Error, Hashable, Sendable, CustomStringConvertible {
  /// The claim that is not true.
  public var claim: String
  /// The claim.
  public var description: String { "it is not true that " + claim }
}

func expect(_ isTrue: Bool, _ claim: @autoclosure () -> String) throws {
  if !isTrue { throw BrokenLaw(claim: claim()) }
}
