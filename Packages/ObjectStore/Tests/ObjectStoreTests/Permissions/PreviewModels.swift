import Permissions
import Synchronization

@testable import ObjectStore
@testable import RecordStore

/// An object with an access list of its own.
final class Guarded: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var acl: List<Permission>

  override class func _realmObjectName() -> String? { "Dog" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An object without.
final class Unguarded: Object {
  @Persisted(primaryKey: true) var id: Int

  override class func _realmObjectName() -> String? { "Plain" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A replication that replicates nothing: by queries for one user, or as a whole.
struct PreviewReplication: ReplicationConfiguration {
  final class Attachment: Sendable {}

  let location: RealmLocation
  var permissionUser: UserId?
  var isPermissionUserAdministrator = false
  var identity: String { "\(location) \(permissionUser?.rawValue ?? "")" }

  func attach(to file: RealmFile, of configuration: Realm.Configuration) throws -> any Sendable & AnyObject {
    Attachment()
  }
}

private let names = Atomic<Int>(0)

/// A configuration of a realm in memory that is synchronised by queries; as a whole without a user.
func queryBased(
  _ user: UserId?, _ location: RealmLocation? = nil,
  isAdministrator: Bool = false,
  types: [ObjectBase.Type]? = [Guarded.self, Unguarded.self, Permission.self, PermissionRole.self, PermissionUser.self]
) -> Realm.Configuration {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  var configuration = Realm.Configuration(objectTypes: types)
  configuration.fileURL = nil
  configuration.replication = PreviewReplication(
    location: location ?? .inMemory(name: "previews \(number)"), permissionUser: user,
    isPermissionUserAdministrator: isAdministrator)
  return configuration
}

extension Realm {
  /// A realm that its server has opened for some users.
  static func opened(for users: UserId...) throws -> Realm {
    let realm = try Realm(configuration: queryBased(users.first))
    try realm.file.edit { editor in
      try editor.openPermissions()
      for user in users { try editor.connect(user) }
    }
    realm.refresh()
    return realm
  }
}
