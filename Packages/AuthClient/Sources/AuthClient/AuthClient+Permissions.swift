public import FoundationEssentials
public import Permissions
import Telemetry
import Transport

extension AuthClient {
  private static var permissionsPath: String { "/api/openrealm/v1/permissions" }
  private static var offersPath: String { "/api/openrealm/v1/offers" }

  /// The permissions of a user, one per realm: the right to manage each realm of the user's own, and what others granted;
  /// without grants to everyone.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func permissions(of id: UserId) async throws -> [SyncPermission] {
    let call = AuthCall<PermissionsAnswer>("GET", Self.permissionsPath, authorisation: .access)
    return try await send(call, by: id).permissions.map(Self.permission)
  }

  /// The permissions on one realm. Needs manage rights.
  ///
  /// - Throws: ``AuthError/Code/permissionDenied``, ``AuthError/Code/invalidParameter`` for a path that is none
  public func permissions(on path: String, by id: UserId) async throws -> [SyncPermission] {
    let call = AuthCall<PermissionsAnswer>(
      "GET", Self.permissionsPath + "?path=" + PercentCoding.encoded(path), authorisation: .access)
    return try await send(call, by: id).permissions.map(Self.permission)
  }

  /// The users of a realm that the caller may read: all who have access, to those who manage it; to others its owner,
  /// themselves, and who is connected.
  ///
  /// - Throws: ``AuthError/Code/permissionDenied``, ``AuthError/Code/invalidParameter`` for a path that is none
  public func users(ofRealm path: String, by id: UserId) async throws -> [RealmUser] {
    let call = AuthCall<RealmUsersAnswer>(
      "GET", "/api/openrealm/v1/realms/users?path=" + PercentCoding.encoded(path), authorisation: .access)
    return try await send(call, by: id).users.map { user in
      RealmUser(
        identity: user.userId, name: user.name, accessLevel: user.access.flatMap(SyncAccessLevel.init(name:)),
        sessions: user.sessions)
    }
  }

  /// All that a user may open and all that the user has granted: the permissions of ``permissions(of:)``, and the grants to
  /// others on realms of the user's own. Two calls.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func allPermissions(of id: UserId) async throws -> [SyncPermission] {
    let own = try await permissions(of: id)
    let call = AuthCall<PermissionsAnswer>("GET", Self.permissionsPath + "?given=true", authorisation: .access)
    let given = try await send(call, by: id).permissions.map(Self.permission)
    return own + given.filter { $0.identity != id.rawValue }
  }

  /// Grants or revokes access. `~` in the path is the caller; `*` stands for all realms of the caller, or all users.
  ///
  /// - Throws: ``AuthError/Code/permissionDenied``, ``AuthError/Code/userNotFound``,
  ///   ``AuthError/Code/invalidParameter``
  public func apply(_ permission: SyncPermission, by id: UserId) async throws {
    let body = PermissionBody(
      path: permission.path, userId: permission.identity, username: permission.value,
      access: permission.accessLevel.name)
    _ = try await send(
      AuthCall<ApplyAnswer>("POST", Self.permissionsPath, authorisation: .access, body: body), by: id)
  }

  /// Makes an offer: a token that gives the access level to every user who accepts it before it expires.
  ///
  /// - Returns: the token to send to the recipient.
  /// - Throws: ``AuthError/Code/permissionDenied`` without manage rights; ``AuthError/Code/invalidParameter``
  public func createOffer(
    path: String, level: SyncAccessLevel, expiresAt: Date? = nil, by id: UserId
  ) async throws -> String {
    let body = OfferBody(
      path: path, access: level.name, expiresAt: expiresAt.map { Int64($0.timeIntervalSince1970 * 1_000) })
    let answer = try await send(
      AuthCall<OfferBody>("POST", Self.offersPath, authorisation: .access, body: body), by: id)
    guard let token = answer.token else { throw AuthError.badResponse("the offer has no token", status: 200) }
    return token
  }

  /// Accepts an offer.
  ///
  /// - Returns: the path of the realm, which can now be opened.
  /// - Throws: ``AuthError/Code/offerUnusable`` for an unknown, withdrawn or expired offer.
  public func acceptOffer(token: String, by id: UserId) async throws -> String {
    let path = Self.offersPath + "/" + PercentCoding.encoded(token) + "/accept"
    return try await send(AuthCall<ApplyAnswer>("POST", path, authorisation: .access), by: id).path
  }

  /// Withdraws an offer. Users who accepted it before keep their access.
  ///
  /// - Throws: ``AuthError/Code/offerUnusable`` for an unknown, withdrawn or expired offer.
  public func invalidateOffer(token: String, by id: UserId) async throws {
    try await send(
      AuthCall<Void>("DELETE", Self.offersPath + "/" + PercentCoding.encoded(token), authorisation: .access), by: id)
  }

  /// The open offers of a user.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func offers(of id: UserId) async throws -> [SyncPermissionOffer] {
    let answer = try await send(AuthCall<OffersAnswer>("GET", Self.offersPath, authorisation: .access), by: id)
    return answer.offers.map { offer in
      SyncPermissionOffer(
        realmPath: offer.path, token: offer.token ?? "", expiresAt: offer.expiresAt.map(Self.date),
        createdAt: offer.createdAt.map(Self.date), accessLevel: SyncAccessLevel(name: offer.access) ?? .none)
    }
  }

  /// The server's explanation whether an object is on the devices of a user, and why. Only administrators may ask about
  /// others.
  ///
  /// - Parameters:
  ///   - className: the class of the object.
  ///   - key: its primary key as text; nil for the primary key null.
  ///   - path: the path of the realm.
  ///   - id: the caller.
  ///   - other: the name or id of the user; nil for the caller.
  ///   - device: the number of the client file of one device; nil for all of the user.
  /// - Throws: ``AuthError/Code/permissionDenied``, ``AuthError/Code/userNotFound``, ``AuthError/Code/invalidParameter``
  ///   for a path or a key that is none.
  public func explanation(
    ofObject className: String, key: String?, in path: String, by id: UserId, for other: String? = nil,
    device: UInt64? = nil
  ) async throws -> SyncExplanation {
    let items = [
      ("path", path), ("class", className), ("key", key), ("user", other), ("device", device.map(String.init)),
    ]
    let query = items.compactMap { name, value in value.map { name + "=" + PercentCoding.encoded($0) } }
    return try await send(
      AuthCall<SyncExplanation>(
        "GET", "/api/openrealm/v1/explain?" + query.joined(separator: "&"), authorisation: .access), by: id)
  }

  private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

  private static func permission(_ body: PermissionBody) -> SyncPermission {
    SyncPermission(
      path: body.path, accessLevel: SyncAccessLevel(name: body.access) ?? .none, identity: body.userId,
      updatedAt: date(body.updatedAt ?? 0))
  }
}
