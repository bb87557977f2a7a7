/// Who receives a grant.
public enum Grantee: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Every user of the server, present and future; written `*`.
  case everyone
  /// One user.
  case user(UserId)

  /// The grantee written as `*` or as a user's id.
  public init(_ text: String) { self = text == "*" ? .everyone : .user(UserId(text)) }

  public var description: String {
    switch self {
    case .everyone: "*"
    case .user(let user): user.rawValue
    }
  }

  public static func < (left: Grantee, right: Grantee) -> Bool { left.description < right.description }
}

/// One entry of the table of grants: somebody may do something with one realm.
public struct Grant: Hashable, Sendable {
  /// The realm.
  public var path: RealmPath
  /// Who received the grant.
  public var grantee: Grantee
  /// What the grantee may do; never ``SyncAccessLevel/none``, which is the absence of a grant.
  public var level: AccessLevel
  /// When it was given or changed, in milliseconds since 1970-01-01T00:00:00Z.
  public var updatedAtMilliseconds: Int64

  /// A grant with all its parts.
  public init(path: RealmPath, grantee: Grantee, level: AccessLevel, updatedAtMilliseconds: Int64 = 0) {
    self.path = path
    self.grantee = grantee
    self.level = level
    self.updatedAtMilliseconds = updatedAtMilliseconds
  }
}
