/// The receiver of a grant.
public enum Grantee: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Every user of the server, present and future; written `*`.
  case everyone
  /// One user.
  case user(UserId)

  /// The grantee written as `*` or as a user's id.
  public init(_ text: String) { self = text == "*" ? .everyone : .user(UserId(text)) }

  /// `*`, or the id of the user.
  public var description: String {
    switch self {
    case .everyone: "*"
    case .user(let user): user.rawValue
    }
  }

  /// Compares the written forms.
  public static func < (left: Grantee, right: Grantee) -> Bool { left.description < right.description }
}

/// One entry of the table of grants: a level for one grantee on one realm.
public struct Grant: Hashable, Sendable {
  /// The realm.
  public var path: RealmPath
  /// The receiver.
  public var grantee: Grantee
  /// The level of the grantee; never ``SyncAccessLevel/none``, which is the absence of a grant.
  public var level: AccessLevel
  /// The time of the last change, in milliseconds since 1970-01-01T00:00:00Z.
  public var updatedAtMilliseconds: Int64

  /// A grant with all its parts.
  public init(path: RealmPath, grantee: Grantee, level: AccessLevel, updatedAtMilliseconds: Int64 = 0) {
    self.path = path
    self.grantee = grantee
    self.level = level
    self.updatedAtMilliseconds = updatedAtMilliseconds
  }
}
