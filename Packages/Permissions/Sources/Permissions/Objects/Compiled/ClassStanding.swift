/// The privileges of one user on a class, and the most that the list of one of its objects can allow.
///
/// The standing is found by name once; each object of the class is then checked without looking at names again.
public struct ClassStanding: Hashable, Sendable {
  /// The privileges on the class.
  public let privileges: Privileges
  /// The privileges on objects of a class without access lists.
  let open: Privileges
  /// The most that an object's list can grant.
  let bound: Privileges
  /// The privileges on objects whatever their lists say: those of administrators.
  let floor: Privileges

  /// A standing from the privileges on the class.
  ///
  /// A class that the user may not read hides its objects. Above an object's list, `setPermissions` is not asked for:
  /// there it concerns the lists of the realm and the class, which apps take out of everyone's hands while creators go
  /// on to change the lists of their objects. Token and `update` on the realm still count: `mayChangeLists`.
  init(_ privileges: Privileges, mayChangeLists: Bool, isExempt: Bool) {
    self.privileges = privileges
    let below = privileges.contains(.read) ? privileges.intersection(.objectPrivileges) : []
    open = below
    floor = isExempt ? below : []
    var bound = below.subtracting(.setPermissions)
    if privileges.contains(.read), mayChangeLists { bound.insert(.setPermissions) }
    self.bound = bound
  }
}
