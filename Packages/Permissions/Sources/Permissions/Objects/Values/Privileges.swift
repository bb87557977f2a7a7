/// The seven privileges that a role can have on a realm, a class or an object; the bits of the wire.
///
/// | privilege | realm | class | object |
/// |---|---|---|---|
/// | read | see anything of the file | see objects of the class | see the object and everything it links to |
/// | update | change anything in the file | change properties of its objects | change properties, except the access list |
/// | delete | – | – | delete the object |
/// | setPermissions | change the realm's list | change the class's list | change the object's list |
/// | query | – | subscribe to the class | – |
/// | create | – | create objects of the class | – |
/// | modifySchema | add classes | add properties to the class | – |
///
/// Where a dash stands, the privilege says nothing by itself, but above the level that it works on it must be granted as
/// well: nobody deletes an object without `delete` on its class and on the realm.
///
///     Privileges([.read, .query]).description  // "read, query"
public struct Privileges: OptionSet, Hashable, Sendable {
  /// The seven bits; the eighth is never set.
  public let rawValue: UInt8

  /// A set from its bits. The eighth bit is dropped.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7f }

  /// Seeing and reading.
  public static let read = Privileges(rawValue: 1 << 0)
  /// Changing properties.
  public static let update = Privileges(rawValue: 1 << 1)
  /// Deleting objects.
  public static let delete = Privileges(rawValue: 1 << 2)
  /// Changing the access list of the level at which it is granted.
  public static let setPermissions = Privileges(rawValue: 1 << 3)
  /// Subscribing to a class.
  public static let query = Privileges(rawValue: 1 << 4)
  /// Creating objects.
  public static let create = Privileges(rawValue: 1 << 5)
  /// Adding classes and properties.
  public static let modifySchema = Privileges(rawValue: 1 << 6)

  /// All seven.
  public static let all = Privileges(rawValue: 0x7f)
}

extension Privileges {
  /// The privileges that have a meaning of their own for a realm.
  public static let realmPrivileges: Privileges = [.read, .update, .setPermissions, .modifySchema]
  /// The privileges that have a meaning of their own for a class.
  public static let classPrivileges: Privileges = [.read, .update, .setPermissions, .query, .create, .modifySchema]
  /// The privileges that have a meaning of their own for an object.
  public static let objectPrivileges: Privileges = [.read, .update, .delete, .setPermissions]

  /// The most that an access token allows whose user has a level of access to the whole realm.
  ///
  /// Read gives read and query; write adds update, create and delete; manage adds the schema and permissions.
  public init(bound level: AccessLevel) {
    switch level {
    case .none: self = []
    case .read: self = [.read, .query]
    case .write: self = [.read, .query, .update, .create, .delete]
    case .admin: self = .all
    }
  }

  /// The privileges that count on a realm: none without `read`, no change without `update`.
  ///
  /// A role that may not read a realm has nothing in it whatever else is granted, and a realm without `update` is
  /// read-only: not even its permissions and its schema change.
  var gated: Privileges {
    if !contains(.read) { return [] }
    return contains(.update) ? self : intersection([.read, .query])
  }
}
