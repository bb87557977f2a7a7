/// The rules by which one server decides about whole realms; the same value is used by clients for previews.
///
/// The first rule that applies decides:
///
/// 1. A token for one realm opens no other.
/// 2. An administrator may do everything.
/// 3. A partial view `<realm>/__partial/<user>/<name>` is for that user, whose level there is that for the realm.
/// 4. The owner of the folder, or of the partition that is named after them, may do everything in it.
/// 5. The grant to the user, also when it is lower than the next ones.
/// 6. The grant to everyone.
/// 7. The default of the kind of realm: ``appLevel`` for a realm at the root that belongs to an app, read for another one at
///    the root that exists, ``partitionLevel`` for a partition, none for another user's folder.
///
/// The token's own level bounds the result from above.
///
///     let rules = AccessRules()
///     let ann = AccessSubject(user: UserId("ann"))
///     let path = try RealmPath("/ben/list")
///     let facts = RealmFacts(path: path, exists: true, grants: [Grant(path: path, grantee: .user("ann"), level: .read)])
///     rules.decide(ann, wants: .write, of: facts).explanation
///     // "write is needed and only read is granted; ask the owner of the realm for more"
public struct AccessRules: Hashable, Sendable {
  /// The level of every user for a partition without a higher grant.
  public var partitionLevel: AccessLevel
  /// The level of every user for an existing realm at the root without a higher grant.
  public var publicLevel: AccessLevel
  /// The realms that apps with queries open without naming them; those at the root come into being when first opened.
  public var appRealms: Set<RealmPath>
  /// The level of every user for a realm of an app at the root without a higher grant.
  public var appLevel: AccessLevel

  /// Rules; by default every user can write the realm of apps and read public realms, and partitions are closed.
  public init(
    partitionLevel: AccessLevel = .none, publicLevel: AccessLevel = .read, appRealms: Set<RealmPath> = [.ofApps],
    appLevel: AccessLevel = .write
  ) {
    self.partitionLevel = partitionLevel
    self.publicLevel = publicLevel
    self.appRealms = appRealms
    self.appLevel = appLevel
  }

  /// Whether `subject` may do `wanted` with a realm.
  ///
  /// - Complexity: O(*n*) for *n* grants on the realm.
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
    var path = realm.path
    if let view = realm.path.partialView {
      guard view.user == subject.user else { return (.none, .foreignPartialView) }
      path = view.realm
    }
    if path.isOwned(by: subject.user) { return (.admin, .owner) }
    for grantee in [Grantee.user(subject.user), .everyone] {
      if let level = grant(to: grantee, in: realm) { return (level, .grant(grantee)) }
    }
    return defaultLevel(path, exists: realm.referenceExists ?? realm.exists)
  }

  /// The level of a grant on a realm, or on the reference realm of a view: the higher one; nil for none.
  func grant(to grantee: Grantee, in realm: RealmFacts) -> AccessLevel? {
    let paths = [realm.path, realm.path.partialView?.realm]
    return realm.grants.filter { $0.grantee == grantee && paths.contains($0.path) }.map(\.level).max()
  }

  func defaultLevel(_ path: RealmPath, exists: Bool) -> (AccessLevel, AccessDecision.Reason) {
    if case .partition = path.kind { return (partitionLevel, .partitionRule) }
    if path.isPublic, appRealms.contains(path) { return (appLevel, .appRule) }
    if path.isPublic { return exists ? (publicLevel, .publicRealm) : (.none, .missingRealm) }
    return (.none, .noGrant)
  }
}
