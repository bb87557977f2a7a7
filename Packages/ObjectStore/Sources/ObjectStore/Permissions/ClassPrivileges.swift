import Permissions

/// The privileges of the current user on the objects of a class, as ``Realm/getPrivileges(_:)-(T.Type)`` tells it.
public struct ClassPrivileges: OptionSet, Hashable, Sendable, CustomDebugStringConvertible {
  /// The bits of the set.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Seeing objects of the class.
  public static let read = ClassPrivileges(rawValue: 1 << 0)
  /// Changing properties of its objects.
  public static let update = ClassPrivileges(rawValue: 1 << 1)
  /// Changing the access list of the class, up to the privileges that the user has.
  public static let setPermissions = ClassPrivileges(rawValue: 1 << 3)
  /// Subscribing to the class. Queries of what is local always work.
  public static let subscribe = ClassPrivileges(rawValue: 1 << 4)
  /// Creating objects.
  public static let create = ClassPrivileges(rawValue: 1 << 5)

  /// The names, as in `ClassPrivileges[read, subscribe]`.
  public var debugDescription: String {
    privilegeNames(rawValue & 0b011_1011, of: Self.self, queryName: "subscribe")
  }
}

/// The name of a set of privileges with the names of its members.
func privilegeNames<Kind>(_ bits: UInt8, of type: Kind.Type, queryName: String = "query") -> String {
  let names = Privileges.named.filter { bits & $0.privilege.rawValue != 0 }
    .map { $0.privilege == .query ? queryName : $0.name }
  return "\(type)[\(names.joined(separator: ", "))]"
}
