public import Permissions

/// A change of the directory that open sessions may depend on. It says where to look, not what is there: whoever hears it
/// reads the present facts.
public enum DirectoryChange: Hashable, Sendable {
  /// The rights of a user or their logins: suspended, demoted, removed, logged out, another password, a key that ended.
  case user(UserId)
  /// The grants on a realm, or its name.
  case realm(RealmPath)
  /// The keys that sign tokens.
  case tokenKeys
}

/// A part of the directory's feed: the changes up to a position.
public struct DirectoryChanges: Hashable, Sendable {
  /// The number of the last change; 0 before the first one.
  public var position: Int64
  /// The changes, oldest first.
  public var changes: [DirectoryChange]
  /// Whether all changes are there. Those that are too old are forgotten; then everything is to be looked at again.
  public var isComplete: Bool

  /// A part of a feed.
  public init(position: Int64, changes: [DirectoryChange] = [], isComplete: Bool = true) {
    self.position = position
    self.changes = changes
    self.isComplete = isComplete
  }

  /// The changes that are remembered.
  public static let remembered: Int64 = 10_000
}

extension DirectoryChange {
  /// The change as it is stored: its kind, and whom it is about.
  var columns: (kind: String, subject: String) {
    switch self {
    case .user(let user): ("user", user.rawValue)
    case .realm(let path): ("realm", path.description)
    case .tokenKeys: ("keys", "")
    }
  }

  /// The change with these columns; nil for one of a later release.
  init?(kind: String, subject: String) {
    switch kind {
    case "user": self = .user(UserId(subject))
    case "realm":
      guard let path = try? RealmPath(subject) else { return nil }
      self = .realm(path)
    case "keys": self = .tokenKeys
    default: return nil
    }
  }
}

/// The proof of a user at a login, as far as it can end. A login is stored together with the look-up whether it still holds.
public enum LoginProof: Hashable, Sendable {
  /// A proof that cannot be withdrawn here, such as the token of another system.
  case lasting
  /// The password of an identity, by the hash that was compared.
  case password(provider: String, name: String, hash: String)
  /// An API key, by the digest of its secret.
  case apiKey(digest: String)
}
