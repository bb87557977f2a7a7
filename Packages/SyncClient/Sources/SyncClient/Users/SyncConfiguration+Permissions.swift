import ObjectStore
public import Permissions

extension SyncConfiguration {
  /// The user, for a realm that is synchronised by queries: its permissions apply inside the realm. Nil for a realm that is
  /// synchronised as a whole.
  public var permissionUser: UserId? { fullSynchronization ? nil : user.userId }

  /// Whether the user administers the server, and is exempt from the permissions inside realms.
  public var isPermissionUserAdministrator: Bool { user.isAdmin }
}
