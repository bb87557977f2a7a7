public import ChangesetOT
import DataModel
import Permissions

/// The facts of a realm's permissions that changesets may have changed, by name.
///
/// Collected from changesets as they are applied, after their merge. Few of a realm's changesets touch any.
public struct PermissionTouches: Sendable {
  /// Whether a class of permissions came, went or got another field: everything is read again.
  private(set) var isWhole = false
  private(set) var touchesRealm = false
  private(set) var classes: Set<String> = []
  private(set) var roles: Set<RoleName> = []
  private(set) var users: Set<UserId> = []
  private(set) var permissions: Set<ObjectKey> = []
  /// Members that were added, by their roles.
  private(set) var members: [RoleName: Set<UserId>] = [:]

  /// No touches.
  public init() {}

  /// Whether nothing is touched.
  public var isEmpty: Bool {
    !isWhole && !touchesRealm && classes.isEmpty && roles.isEmpty && users.isEmpty && permissions.isEmpty
      && members.isEmpty
  }

  /// Whether a user may lose something by them; a member that is added loses nothing.
  func mayTakeRights(from user: UserId) -> Bool {
    isWhole || touchesRealm || !classes.isEmpty || !roles.isEmpty || users.contains(user) || !permissions.isEmpty
  }

  /// Whether a user may have other roles by them, or the realm or a class another list.
  func mayChangeRoles(of user: UserId) -> Bool {
    isWhole || touchesRealm || !classes.isEmpty || !roles.isEmpty || users.contains(user)
      || members.values.contains { $0.contains(user) }
  }

  /// Adds what a changeset addresses.
  ///
  /// - Complexity: O(*n*) for *n* instructions.
  public mutating func add(_ changeset: Changeset) {
    for instruction in changeset.instructions { add(instruction) }
  }

  /// Adds what other changesets address. O(*n*) in that.
  mutating func add(_ other: PermissionTouches) {
    isWhole = isWhole || other.isWhole
    touchesRealm = touchesRealm || other.touchesRealm
    classes.formUnion(other.classes)
    roles.formUnion(other.roles)
    users.formUnion(other.users)
    permissions.formUnion(other.permissions)
    members.merge(other.members) { $0.union($1) }
  }

  /// Adds what an instruction addresses.
  ///
  /// - Complexity: O(1).
  public mutating func add(_ instruction: Instruction) {
    guard let kind = PermissionClass(rawValue: instruction.className) else { return }
    guard let key = instruction.object?.key else {
      isWhole = true
      return
    }
    switch (kind, key) {
    case (.realm, _): touchesRealm = true
    case (.class, .string(let name)): classes.insert(name)
    case (.role, .string(let name)): add(instruction, to: RoleName(name))
    case (.user, .string(let id)): users.insert(UserId(id))
    case (.permission, _): permissions.insert(key)
    case (.class, _), (.role, _), (.user, _): break
    }
  }

  private mutating func add(_ instruction: Instruction, to role: RoleName) {
    guard case .arrayInsert(let insertion) = instruction, case .link(let user) = insertion.payload,
      case .string(let id) = user.key
    else {
      roles.insert(role)
      return
    }
    members[role, default: []].insert(UserId(id))
  }
}
