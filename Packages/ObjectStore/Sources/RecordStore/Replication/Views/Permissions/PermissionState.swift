import ChangesetOT
import DataModel
import Permissions
import StorageEngine
import Synchronization

/// The permissions of a realm at one version, kept up while changesets are applied, with the users that asked.
///
/// Not in force in a realm without a list of its own: everybody may then do everything.
struct PermissionState: Sendable {
  /// Users are compiled again when this many are known.
  private static let mostUsers = 10_000

  private static let lastRevision = Atomic<UInt64>(0)

  private(set) var table: PermissionTable
  /// The number of the facts: states of this process with one number have the same, those of copies included.
  private(set) var revision = PermissionState.nextRevision
  private var users: [ViewAccess: UserPermissions] = [:]

  /// The permissions as a read view has them.
  ///
  /// - Complexity: O(*n*) in users, members and entries of lists.
  init(in readView: ReadView) throws { table = try PermissionReader(readView).table() }

  /// Permissions by the facts of a table.
  init(_ table: PermissionTable) { self.table = table }

  /// Whether the realm has a list of its own.
  var isInForce: Bool { table.realmList != .missing }

  /// The permissions of a user. O(1) for one who asked before.
  mutating func permissions(of access: ViewAccess) -> UserPermissions {
    if let known = users[access] { return known }
    if users.count >= Self.mostUsers { users = [:] }
    let made = UserPermissions(table, access)
    users[access] = made
    return made
  }

  /// Takes what changesets touched into account; the read view has them applied.
  ///
  /// - Returns: whether any fact of the table changed.
  @discardableResult
  mutating func update(after touches: PermissionTouches, in readView: ReadView) throws -> Bool {
    if touches.isEmpty { return false }
    let changes = try PermissionReader(readView).changes(after: touches, to: table)
    if !changes.isEmpty { revision = Self.nextRevision }
    for change in changes {
      table.apply(change)
      for access in users.keys { users[access]?.update(after: change, in: table) }
    }
    return !changes.isEmpty
  }

  private static var nextRevision: UInt64 { lastRevision.add(1, ordering: .relaxed).newValue }
}

extension UserPermissions {
  /// The permissions of the user of a view.
  init(_ table: PermissionTable, _ access: ViewAccess) {
    self.init(
      table, user: UserId(access.user), isAdministrator: access.isAdministrator,
      tokenBound: Privileges(rawValue: access.tokenBound))
  }

  /// Whether nothing inside the realm bounds the user.
  var isUnbounded: Bool { isExempt && tokenBound == .all }

  /// Whether the roles of the realm take nothing from the user: every list of the realm and of a class grants everything, and no
  /// class of the catalog has objects with lists of their own.
  ///
  /// - Complexity: O(*n*) in the classes and their fields.
  func isUnrestricted(in catalog: Catalog) -> Bool {
    if isExempt { return true }
    guard privilegesOnRealm.isSuperset(of: tokenBound) else { return false }
    return catalog.classes.allSatisfy { layout in
      layout.accessLists.isEmpty && privileges(onClass: layout.name).isSuperset(of: tokenBound)
    }
  }
}
