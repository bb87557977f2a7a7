public import FoundationEssentials

/// The access of one user, or of all, to a realm; read with `retrievePermissions`, changed with `apply`.
///
///     let permission = SyncPermission(realmPath: "/~/todo", identity: "65a1b2c3d4e5f60718293a4b", accessLevel: .write)
///     permission.mayRead   // true
///
/// The path `*` stands for all realms that the caller manages, the identity `*` for all users; the level `.none` revokes.
/// Instances never change and can be used from any thread.
public final class SyncPermission: Hashable, Sendable, CustomStringConvertible {
  /// The path of the realm, or `*`.
  public let path: String
  /// The level of the user.
  public let accessLevel: SyncAccessLevel
  /// The id of the user, or `*`; nil when the user is named by ``key`` and ``value``.
  public let identity: String?
  /// The attribute that names the user in place of the id: `email`, which holds the user name.
  public let key: String?
  /// The user name.
  public let value: String?
  /// The time of the last change; the time of creation for a permission that is not applied yet.
  public let updatedAt: Date

  /// A permission for the user with an id.
  public convenience init(realmPath path: String, identity: String, accessLevel: SyncAccessLevel) {
    self.init(path: path, accessLevel: accessLevel, identity: identity, updatedAt: Date())
  }

  /// A permission for the user with a name.
  public convenience init(realmPath path: String, username: String, accessLevel: SyncAccessLevel) {
    self.init(path: path, accessLevel: accessLevel, key: "email", value: username, updatedAt: Date())
  }

  /// The older spelling of ``init(realmPath:identity:accessLevel:)``.
  public convenience init(realmPath path: String, userID: String, accessLevel: SyncAccessLevel) {
    self.init(path: path, accessLevel: accessLevel, identity: userID, updatedAt: Date())
  }

  /// A permission as a server reports it.
  public init(
    path: String, accessLevel: SyncAccessLevel, identity: String? = nil, key: String? = nil, value: String? = nil,
    updatedAt: Date
  ) {
    self.path = path
    self.accessLevel = accessLevel
    self.identity = identity
    self.key = key
    self.value = value
    self.updatedAt = updatedAt
  }

  /// Whether the realm can be opened and followed.
  public var mayRead: Bool { accessLevel >= .read }
  /// Whether its data can be changed.
  public var mayWrite: Bool { accessLevel >= .write }
  /// Whether its permissions can be changed.
  public var mayManage: Bool { accessLevel >= .admin }

  /// Whether both say the same; ``updatedAt`` does not count.
  public static func == (left: SyncPermission, right: SyncPermission) -> Bool {
    left.path == right.path && left.accessLevel == right.accessLevel && left.identity == right.identity
      && left.key == right.key && left.value == right.value
  }

  /// Adds path, level and user.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(accessLevel)
    hasher.combine(identity)
    hasher.combine(value)
  }

  /// A sentence: `65a1… may write /~/todo`.
  public var description: String { "\(identity ?? value ?? "?") may \(accessLevel) \(path)" }
}

/// The name of ``SyncPermission`` in older documentation.
public typealias SyncPermissionValue = SyncPermission
