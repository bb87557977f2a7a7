import Permissions
import Telemetry

/// The operations on grants and offers. Blocks; called on the executor.
struct Sharing: Sendable {
  let directory: any Directory
  let rules: AccessRules
  let random: RandomSource
  let clock: any WallClock

  /// Changes one grant, or one for each realm of the caller.
  ///
  /// - Returns: the realms whose grants changed.
  /// - Throws: ``APIError``; ``ServerError``
  func apply(path: String, to grantee: Grantee, level: AccessLevel, by bearer: Bearer) throws -> [RealmPath] {
    if case .user(let user) = grantee {
      guard try directory.user(user) != nil else { throw APIError.userNotFound }
      if user == bearer.user { throw APIError.badRequest("nobody can grant something to themselves") }
    }
    // A token for one realm does not stand for all realms of its user.
    if path == "*" { try RequiredBearer.unbounded.check(bearer) }
    let paths = path == "*" ? try directory.realms(in: bearer.user) : [try managedPath(path, by: bearer)]
    for path in paths {
      try directory.setGrant(
        Grant(
          path: path, grantee: grantee, level: level,
          updatedAtMilliseconds: clock.wallTime.millisecondsSince1970))
    }
    return paths
  }

  /// All grants on a realm that the bearer manages.
  ///
  /// - Throws: ``APIError`` for a bad path or a missing right; ``ServerError``.
  func grants(on path: String, by bearer: Bearer) throws -> [Grant] {
    try directory.facts(of: managedPath(path, by: bearer)).grants
  }

  /// Creates an offer.
  ///
  /// - Throws: ``APIError`` for a bad path, a bad level or a missing right; ``ServerError``.
  func createOffer(path: String, level: AccessLevel, expiresAt: WallTime?, by bearer: Bearer) throws -> OfferRecord {
    guard level > .none else { throw APIError.badRequest("an offer is for read, write or manage") }
    let offer = OfferRecord(
      token: random.hex(digits: 48), user: bearer.user, path: try managedPath(path, by: bearer), level: level,
      createdAt: clock.wallTime, expiresAt: expiresAt)
    try directory.createOffer(offer)
    return offer
  }

  /// Grants the bearer the access of an offer, unless they have more.
  ///
  /// - Throws: ``APIError`` with 404 when the offer cannot be used; ``ServerError``.
  func acceptOffer(_ token: String, by bearer: Bearer) throws -> RealmPath {
    guard let offer = try directory.offer(token), offer.expiresAt.map({ $0 > clock.wallTime }) ?? true else {
      throw APIError.offerUnusable
    }
    let facts = try directory.facts(of: offer.path)
    let maker = AccessSubject(
      user: offer.user,
      isAdministrator: try offer.user == Accounts.administratorTokenUser
        || directory.user(offer.user)?.isAdministrator ?? false)
    guard rules.decide(maker, wants: .manage, of: facts).isAllowed else { throw APIError.offerUnusable }
    // A withdrawn access is restored by a newer offer or a grant only.
    if let lost = try directory.withdrawal(of: .user(bearer.user), from: offer.path), lost >= offer.createdAt {
      throw APIError.offerUnusable
    }
    let own = facts.grants.first { $0.grantee == .user(bearer.user) }?.level ?? .none
    if offer.level > own, offer.path.owner != bearer.user {
      try directory.setGrant(
        Grant(
          path: offer.path, grantee: .user(bearer.user), level: offer.level,
          updatedAtMilliseconds: clock.wallTime.millisecondsSince1970))
    }
    return offer.path
  }

  /// Withdraws an offer, on request of its maker or of a user who manages the realm.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func deleteOffer(_ token: String, by bearer: Bearer) throws {
    guard let offer = try directory.offer(token) else { throw APIError.offerUnusable }
    let isMaker = offer.user == bearer.user && RequiredBearer.unbounded.admits(bearer.kind)
    let facts = try directory.facts(of: offer.path)
    guard isMaker || rules.decide(bearer.subject, wants: .manage, of: facts).isAllowed else {
      throw APIError.offerUnusable
    }
    try directory.deleteOffer(token)
  }

  func managedPath(_ text: String, by bearer: Bearer) throws -> RealmPath {
    try path(text, by: bearer, wants: .manage).path
  }

  /// The realm that a bearer names, with the facts about it.
  ///
  /// - Throws: ``APIError`` for a bad path or a missing right; ``ServerError``.
  func path(_ text: String, by bearer: Bearer, wants wanted: AccessLevel) throws -> RealmFacts {
    let path: RealmPath
    do {
      path = try RealmPath(text, for: bearer.user == Accounts.administratorTokenUser ? nil : bearer.user)
    } catch {
      throw APIError(400, .invalidParameter, "\(error)")
    }
    let facts = try directory.facts(of: path)
    let decision = rules.decide(bearer.subject, wants: wanted, of: facts)
    guard decision.isAllowed else { throw APIError.denied(decision.explanation) }
    return facts
  }
}
