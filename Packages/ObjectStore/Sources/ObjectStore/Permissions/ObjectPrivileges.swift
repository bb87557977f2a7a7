/// The privileges of the current user on an object, as ``Realm/getPrivileges(_:)-(Object)`` tells it.
public struct ObjectPrivileges: OptionSet, Hashable, Sendable, CustomDebugStringConvertible {
  /// The bits of the set.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Seeing the object. What a readable object links to is seen without it.
  public static let read = ObjectPrivileges(rawValue: 1 << 0)
  /// Changing its properties, its access list excepted.
  public static let update = ObjectPrivileges(rawValue: 1 << 1)
  /// Deleting it.
  public static let delete = ObjectPrivileges(rawValue: 1 << 2)
  /// Changing its access list, up to the privileges that the user has.
  public static let setPermissions = ObjectPrivileges(rawValue: 1 << 3)

  /// The names, as in `ObjectPrivileges[read, delete]`.
  public var debugDescription: String { privilegeNames(rawValue & 0b000_1111, of: Self.self) }
}
