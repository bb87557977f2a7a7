/// The answer to "may this user do that?", with the level, the rule and the roles that it takes.
///
///     let decision = ben.decide(.delete(dog), in: table)
///     decision.isAllowed  // false
///     decision.reason     // "delete is not granted on this object of class 'Dog'; role 'keepers' has it"
public struct ObjectDecision: Hashable, Sendable {
  /// The rule that decided.
  public var rule: PermissionRule
  /// The place at which the action was refused; nil when it is allowed, or when the token refuses it.
  public var scope: PermissionScope?
  /// The privileges that were missing there; none when the action is allowed.
  public var missing: Privileges
  /// The roles that have the missing privileges there, in order.
  public var roles: [RoleName]
  /// Whether the user may read the classes of permissions, and so hear of roles.
  public var mayNameRoles: Bool

  /// A decision with all its parts.
  public init(
    rule: PermissionRule, scope: PermissionScope? = nil, missing: Privileges = [], roles: [RoleName] = [],
    mayNameRoles: Bool = true
  ) {
    self.rule = rule
    self.scope = scope
    self.missing = missing
    self.roles = roles
    self.mayNameRoles = mayNameRoles
  }

  /// Whether the user may do it.
  public var isAllowed: Bool { rule.allows }

  /// The level at which the action was refused; nil when it is allowed, or when the token refuses it.
  public var level: PermissionLevel? { scope?.level }
}

extension ObjectDecision {
  /// A sentence for the user: the refusal, its place and a remedy. Contains no names of other users, and none of roles
  /// to users who may not read them; of long names the beginning, and of many the first three.
  public var reason: String {
    if isAllowed { return "allowed" }
    guard let scope else { return "the access token does not allow \(missing); log in with more access" }
    switch rule {
    case .readOnlyRealm: return "the realm is read-only for this user; \(remedy)"
    case .emptyList: return "the access list of \(scope) is empty, which denies everybody but administrators"
    case .grantsMore: return "\(missing) cannot be granted on \(scope) by a user without it; \(remedy)"
    case .tokenBound, .unreadable, .permissionClass, .notGranted, .administrator, .openRealm, .creator,
      .permissionObject, .granted:
      return "\(missing) \(missing.isSingle ? "is" : "are") not granted on \(scope); \(remedy)"
    }
  }

  /// The decision in full, for `explain`: rule and place, and the first twenty roles that have what is missing.
  public var explanation: String {
    guard !isAllowed else { return "allowed: \(rule.sentence)" }
    let place = level.map { "at \($0) level" } ?? "by the token"
    let holders = roles.isEmpty ? "" : " [\(Self.spoken(roles, atMost: 20) { $0 })]"
    return "refused \(place): \(rule.sentence) (\(missing) on \(scope?.description ?? "the token"))\(holders)"
  }

  private var remedy: String {
    let shared = mayNameRoles ? roles.filter { !$0.isPrivate } : []
    let names = Self.spoken(shared, atMost: 3) { "'\($0)'" }
    return switch shared.count {
    case 0: roles.isEmpty ? "ask an administrator" : "ask somebody who has it"
    case 1: "role \(names) has it"
    default: "roles \(names) have it"
    }
  }

  /// The names of the first roles, and how many more there are.
  private static func spoken(_ roles: [RoleName], atMost limit: Int, _ form: (String) -> String) -> String {
    let names = roles.prefix(limit).map { form($0.rawValue.shortened) }.joined(separator: ", ")
    return roles.count > limit ? "\(names) and \(roles.count - limit) more" : names
  }
}

extension Privileges {
  var isSingle: Bool { rawValue.nonzeroBitCount == 1 }
}
