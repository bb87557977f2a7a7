/// The rule by which an action was allowed or refused.
public enum PermissionRule: String, CaseIterable, Sendable {
  /// Allowed: administrators may do everything.
  case administrator
  /// Allowed: the realm has no list, so permissions are not in force.
  case openRealm
  /// Allowed: the transaction that created an object may write all of it, its list included.
  case creator
  /// Allowed: permission objects are created by everyone who may change the realm.
  case permissionObject
  /// Allowed: every level that has a say grants it.
  case granted

  /// Refused: the access token bounds it.
  case tokenBound
  /// Refused: without `read` on a realm or class there is nothing to be done below it.
  case unreadable
  /// Refused: without `update` on the realm, the realm is read-only.
  case readOnlyRealm
  /// Refused: a list that is there and has no entries denies everybody.
  case emptyList
  /// Refused: permissions are objects, so their own classes are subject to permissions.
  case permissionClass
  /// Refused: the user's roles do not grant it, and no level gives back what a higher one denies.
  case notGranted
  /// Refused: nobody grants more than they have.
  case grantsMore

  /// Whether the rule allows.
  public var allows: Bool {
    switch self {
    case .administrator, .openRealm, .creator, .permissionObject, .granted: true
    case .tokenBound, .unreadable, .readOnlyRealm, .emptyList, .permissionClass, .notGranted, .grantsMore: false
    }
  }

  /// The rule as a sentence.
  public var sentence: String {
    switch self {
    case .administrator: "administrators may do everything"
    case .openRealm: "the realm has no permissions of its own"
    case .creator: "whoever creates an object writes all of it in that transaction"
    case .permissionObject: "everyone who may change the realm may create permission objects"
    case .granted: "every level that has a say grants it"
    case .tokenBound: "an access token bounds everything"
    case .unreadable: "without read on a level there is nothing below it"
    case .readOnlyRealm: "without update on the realm the realm is read-only"
    case .emptyList: "an empty access list denies everybody"
    case .permissionClass: "the classes of permissions are subject to permissions themselves"
    case .notGranted: "a privilege is granted at every level that has a say"
    case .grantsMore: "nobody grants more than they have"
    }
  }
}
