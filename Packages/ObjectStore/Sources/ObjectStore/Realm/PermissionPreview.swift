import Permissions
import RecordStore

/// The permissions of a realm's user at one version, compiled for previews.
struct PermissionPreview {
  /// See ``RealmView/dataVersion``.
  let dataVersion: UInt64
  let reader: PermissionReader
  let table: PermissionTable
  let user: UserPermissions
}
