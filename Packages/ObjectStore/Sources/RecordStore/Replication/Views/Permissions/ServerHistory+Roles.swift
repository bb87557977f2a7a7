public import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// The permissions that a server makes by itself in the realms that it serves by queries.
extension ServerHistory {
  /// The number of the realm's permissions as they were looked at last: another one after every change of their facts. Nil where
  /// none are known.
  ///
  /// - Complexity: O(1).
  public var permissionRevision: UInt64? { permissions.withLock { $0?.state?.revision } }

  /// Makes the realm one with permissions when it is none yet, and what the realm lacks of the objects of a user who connects;
  /// others are taken out of the user's private role.
  ///
  /// - Returns: whether something was written; it is durable and part of the history then.
  /// - Throws: ``RecordStoreError`` with code `schemaMismatch` when the realm declares a class of permissions differently;
  ///   other codes when the file cannot be read or written.
  /// - Complexity: O(log *n*) in the users of a realm in which there is nothing to make.
  @discardableResult
  public func connect(_ access: ViewAccess) throws -> Bool {
    let user = UserId(access.user)
    let reader = PermissionReader(try translatingErrors { try file.latestReadView() })
    let isOpen = try reader.realmList() != .missing
    guard try !isOpen || reader.needsObjects(for: user) else { return false }
    return try file.edit { editor in
      let isNew = try editor.openPermissions()
      return try editor.connect(user) || isNew
    }
  }

  /// Whether the realm is one with permissions: it has an access list.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(1).
  public func hasPermissions() throws -> Bool {
    try translatingErrors { try PermissionReader(try file.latestReadView()).realmList() != .missing }
  }

  /// Gives every class that has no access list one in which `everyone` has everything, in a realm with permissions: classes
  /// that uploads declared.
  ///
  /// - Returns: whether something was written; it is durable and part of the history then.
  /// - Throws: ``RecordStoreError`` when the file cannot be read or written.
  /// - Complexity: O(1) when no class was declared since the last time.
  @discardableResult
  public func openNewClasses() throws -> Bool {
    let readView = try translatingErrors { try file.latestReadView() }
    let revision = readView.catalog.revision
    guard openedRevision.withLock({ $0 }) != revision else { return false }
    let reader = PermissionReader(readView)
    var names: [String] = []
    if try reader.realmList() != .missing {
      names = try readView.catalog.classes.lazy.filter { $0.kind != .embedded }.map(\.name).filter {
        try reader.list(ofClass: $0) == .missing
      }
    }
    if !names.isEmpty { try file.edit { try $0.openPermissions(ofClasses: names) } }
    openedRevision.withLock { $0 = revision }
    return !names.isEmpty
  }

  /// Whether a user may hold the whole realm: nothing in its permissions bounds them, or they manage its access.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(1) in a realm without permissions, else O(*n*) in the classes.
  public func mayHoldWhole(_ access: ViewAccess) throws -> Bool {
    if access.mayHoldWhole { return true }
    return try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      let readView = ReadView(snapshot, try file.catalog(of: snapshot))
      guard var permissions = try permissionState(state, in: readView) else { return true }
      return permissions.permissions(of: access).isUnrestricted(in: readView.catalog)
    }
  }
}
