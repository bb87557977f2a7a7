public import Permissions
import RecordStore

/// The replication of a realm, as a sync client puts it into ``Realm/Configuration``.
public protocol ReplicationConfiguration: Sendable {
  /// The location of the realm's file, when the configuration names none.
  var location: RealmLocation { get }
  /// Identifies the replication: equal for the same realm of the same user and server.
  var identity: String { get }
  /// Identifies the realm on its server: equal for the same realm, also of different users.
  var realmIdentity: String { get }
  /// The user whose permissions `Realm.getPrivileges()` previews, in a realm that is synchronised by queries; nil for one
  /// that is synchronised as a whole, in which everything is allowed.
  var permissionUser: UserId? { get }
  /// Whether ``permissionUser`` administers the server, and is exempt from permissions.
  var isPermissionUserAdministrator: Bool { get }
  /// Begins to replicate a file. Called at every opening of the realm with this configuration. The result is kept as
  /// long as the file is open in this process; of several results for one ``identity`` the first is kept.
  ///
  /// - Parameter configuration: how the realm is opened: what the replication opens itself is opened alike.
  /// - Throws: the reason why the file cannot be replicated; the opening fails with it.
  func attach(to file: RealmFile, of configuration: Realm.Configuration) throws -> any Sendable & AnyObject
  /// Called before a file is opened that this process has not open.
  ///
  /// - Throws: the reason why it cannot be opened.
  func willOpen(fileAt path: String) throws
}

extension ReplicationConfiguration {
  /// The default is ``identity``: every user has a realm of their own.
  public var realmIdentity: String { identity }
  /// The default is nil: the realm is synchronised as a whole.
  public var permissionUser: UserId? { nil }
  /// The default does nothing.
  ///
  /// - Throws: nothing.
  public func willOpen(fileAt path: String) throws {}
  /// The default is false.
  public var isPermissionUserAdministrator: Bool { false }
}
