import Permissions
import RecordStore

extension RealmView {
  /// The permissions of the configuration's user; nil in realms where everything is allowed: local and fully synchronised
  /// ones.
  ///
  /// Compiled again after each change of the realm. When the file cannot be read, nothing is allowed.
  ///
  /// - Complexity: O(*n*) for *n* roles of the user and entries of the lists of realm and classes; O(1) while nothing
  ///   changes.
  func permissionPreview() -> PermissionPreview? {
    checkConfinement()
    guard let replication = configuration.replication, let user = replication.permissionUser else { return nil }
    let isAdministrator = replication.isPermissionUserAdministrator
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let reader = PermissionReader(ReadView(self.reader, fileCatalog))
    if let known = knownPermissions, known.dataVersion == dataVersion, known.user.isAdministrator == isAdministrator {
      return known
    }
    var denying = PermissionTable()
    denying.apply(.setRealmList(.empty))
    let table = reading(or: denying) { try reader.table(of: user) }
    let preview = PermissionPreview(
      dataVersion: dataVersion, reader: reader, table: table,
      user: UserPermissions(table, user: user, isAdministrator: isAdministrator))
    knownPermissions = preview
    return preview
  }
}
