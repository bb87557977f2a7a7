public import Permissions

/// A user of a realm, as its server tells another one.
public struct RealmUser: Hashable, Sendable {
  /// The id of the user; `*` stands for everyone.
  public var identity: String
  /// The name that the user logs in with; nil for users who have none.
  public var name: String?
  /// The rights of the user; nil when the caller may not know it.
  public var accessLevel: SyncAccessLevel?
  /// The open sessions of the realm: devices and programs of the user that are connected.
  public var sessions: Int

  /// Whether the user is connected now.
  public var isConnected: Bool { sessions > 0 }

  /// A user.
  public init(identity: String, name: String? = nil, accessLevel: SyncAccessLevel? = nil, sessions: Int = 0) {
    self.identity = identity
    self.name = name
    self.accessLevel = accessLevel
    self.sessions = sessions
  }
}
