/// The privileges of the current user on a realm, as ``Realm/getPrivileges()`` tells it.
public struct RealmPrivileges: OptionSet, Hashable, Sendable, CustomDebugStringConvertible {
  /// The bits of the set.
  public let rawValue: UInt8
  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Seeing anything of the realm.
  public static let read = RealmPrivileges(rawValue: 1 << 0)
  /// Changing anything; without it the server undoes every write.
  public static let update = RealmPrivileges(rawValue: 1 << 1)
  /// Changing the access list of the realm, up to the privileges that the user has.
  public static let setPermissions = RealmPrivileges(rawValue: 1 << 3)
  /// Adding classes.
  public static let modifySchema = RealmPrivileges(rawValue: 1 << 6)

  /// The names, as in `RealmPrivileges[read, update]`.
  public var debugDescription: String { privilegeNames(rawValue & 0b100_1011, of: Self.self) }
}
