/// The answer to "may this user do that with this realm?", with the reason.
public struct AccessDecision: Hashable, Sendable {
  /// The rule that decided the level.
  public enum Reason: Hashable, Sendable {
    /// Administrators may do everything.
    case administrator
    /// The realm is in the user's own folder.
    case owner
    /// The owner granted it to the user or to everyone.
    case grant(Grantee)
    /// Realms at the root can be read by everyone.
    case publicRealm
    /// The level that the server gives every user of an app with partitions.
    case partitionRule
    /// The level that the server gives every user for the realms of apps.
    case appRule
    /// No grant applies.
    case noGrant
    /// Realms outside one's own folder are created by administrators.
    case missingRealm
    /// A partial view belongs to the user it names.
    case foreignPartialView
    /// The token is for another realm.
    case tokenForOtherRealm
    /// The token allows less than the user may.
    case tokenLevel
  }

  /// The level asked for.
  public var wanted: AccessLevel
  /// The level that the user has.
  public var level: AccessLevel
  /// The rule that decided ``level``.
  public var reason: Reason

  /// A decision with all its parts.
  public init(wanted: AccessLevel, level: AccessLevel, reason: Reason) {
    self.wanted = wanted
    self.level = level
    self.reason = reason
  }

  /// Whether the user may do what was asked for.
  public var isAllowed: Bool { level >= wanted }
}

extension AccessDecision {
  /// A sentence for the user: the refusal, its reason and a remedy. Contains no names of other users.
  public var explanation: String {
    if isAllowed { return "allowed" }
    switch reason {
    case .missingRealm:
      return
        "there is no such realm, and only an administrator can create realms outside a user's own folder; use /~/name"
    case .foreignPartialView: return "a partial view can only be opened by the user whose id is in its path"
    case .tokenForOtherRealm: return "the access token is for another realm; log in again"
    case .tokenLevel: return "the access token allows only \(level); log in again"
    case .administrator, .owner, .grant, .publicRealm, .partitionRule, .appRule, .noGrant:
      return level == .none
        ? "no permission for this realm; ask its owner to grant \(wanted)"
        : "\(wanted) is needed and only \(level) is granted; ask the owner of the realm for more"
    }
  }
}
