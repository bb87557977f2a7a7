/// One entry of an access list: privileges for the members of a role. The value of one object of the stored class
/// `__Permission`.
///
/// A stored permission without a role grants nothing and has no entry. Flags that were never set are false.
///
///     PermissionEntry("editors", [.read, .update])
public struct PermissionEntry: Hashable, Sendable, CustomStringConvertible {
  /// The role whose members have the privileges.
  public var role: RoleName
  /// The privileges.
  public var privileges: Privileges

  /// An entry with both parts.
  public init(_ role: RoleName, _ privileges: Privileges) {
    self.role = role
    self.privileges = privileges
  }

  /// Role and privileges, as in `editors: read, update`.
  public var description: String { "\(role): \(privileges)" }
}
