/// The rules by which one server decides about whole realms; the same value is used by clients for previews.
///
/// In order, the first that applies:
///
/// 1. A token for one realm opens no other.
/// 2. An administrator may do everything.
/// 3. A partial view `<realm>/__partial/<user>/<name>` is for that user, who may do there what they may in the realm.
/// 4. The owner of the folder may do everything in it.
/// 5. The highest of the grants to the user, the grants to everyone, and the default of the kind of realm: read for a
///    realm at the root that exists, ``partitionLevel`` for a partition, none for another user's folder.
///
/// The token's own level bounds the result from above. Room is left for the object level: these decisions come first,
/// and a later evaluation of classes and objects can only take away.
///
///     let rules = AccessRules()
///     let ann = AccessSubject(user: UserId("ann"))
///     let path = try RealmPath("/ben/list")
///     let facts = RealmFacts(path: path, exists: true, grants: [Grant(path: path, grantee: .user("ann"), level: .read)])
///     rules.decide(ann, wants: .write, of: facts).explanation
///     // "write is needed and only read is granted; ask the owner of the realm for more"
public struct AccessRules: Hashable, Sendable {
  /// What every user may do with a partition on which there is no higher grant.
  public var partitionLevel: AccessLevel
  /// What every user may do with an existing realm at the root on which there is no higher grant.
  public var publicLevel: AccessLevel

  /// Rules; as they stand, partitions can be written and public realms read by every user.
  public init(partitionLevel: AccessLevel = .write, publicLevel: AccessLevel = .read) {
    self.partitionLevel = partitionLevel
    self.publicLevel = publicLevel
  }

  /// Whether `subject` may do `wanted` with a realm.
  ///
  /// - Complexity: O(grants).
  public func decide(_ subject: AccessSubject, wants wanted: AccessLevel, of realm: RealmFacts) -> AccessDecision {
    if let path = subject.tokenPath, path != realm.path {
      return AccessDecision(wanted: wanted, level: .none, reason: .tokenForOtherRealm)
    }
    let (level, reason) = unboundedLevel(subject, realm)
    if level > subject.tokenLevel {
      return AccessDecision(wanted: wanted, level: subject.tokenLevel, reason: .tokenLevel)
    }
    return AccessDecision(wanted: wanted, level: level, reason: reason)
  }

  private func unboundedLevel(
    _ subject: AccessSubject, _ realm: RealmFacts
  ) -> (AccessLevel, AccessDecision.Reason) {
    if subject.isAdministrator { return (.admin, .administrator) }
    var place = realm.path
    if let view = realm.path.partialView {
      guard view.user == subject.user else { return (.none, .foreignPartialView) }
      place = view.realm
    }
    if place.owner == subject.user { return (.admin, .owner) }
    var best = defaultLevel(place, exists: realm.exists)
    for grant in realm.grants where grant.path == realm.path || grant.path == place {
      guard grant.grantee == .everyone || grant.grantee == .user(subject.user), grant.level > best.0 else { continue }
      best = (grant.level, .grant(grant.grantee))
    }
    return best
  }

  private func defaultLevel(_ path: RealmPath, exists: Bool) -> (AccessLevel, AccessDecision.Reason) {
    if case .partition = path.kind { return (partitionLevel, .partitionRule) }
    if path.isPublic { return exists ? (publicLevel, .publicRealm) : (.none, .missingRealm) }
    return (.none, .noGrant)
  }
}

extension UserId: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { rawValue = value }
}
