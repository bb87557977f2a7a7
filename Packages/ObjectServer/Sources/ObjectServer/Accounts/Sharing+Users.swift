import Permissions
import Transport

/// The users of a realm. Blocks; called on the executor.
extension Sharing {
  /// The users of a realm that the bearer may read: to those who manage it, all who have access, with their rights; to
  /// others, the owner, themselves and who is connected.
  ///
  /// - Parameter sessions: the number of open sessions by user.
  /// - Throws: ``APIError`` for a bad path or a missing right; ``ServerError``.
  /// - Complexity: O(grants + connected users) lookups.
  func users(of path: String, by bearer: Bearer, sessions: [UserId: Int]) throws -> RealmUsersBody {
    let facts = try self.path(path, by: bearer, wants: .read)
    let own = rules.decide(bearer.subject, wants: .read, of: facts).level
    let manages = own >= .manage
    var levels: [Grantee: AccessLevel] = [:]
    if manages { for grant in facts.grants where grant.level > .none { levels[grant.grantee] = grant.level } }
    if let owner = facts.path.owner { levels[.user(owner)] = .manage }
    if bearer.user != Accounts.administratorTokenUser,
      levels[.user(bearer.user)] == nil || !bearer.subject.isAdministrator
    {
      levels[.user(bearer.user)] = own
    }
    let grantees = Set(levels.keys).union(sessions.keys.map { .user($0) })
    let users = try grantees.map { grantee in
      var user = RealmUsersBody.User(userId: grantee.description, access: levels[grantee]?.name, sessions: 0)
      if case .user(let id) = grantee {
        user.sessions = sessions[id] ?? 0
        user.name = try directory.identities(of: id).first { $0.provider == AuthProvider.password.rawValue }?.name
      }
      return user
    }
    return RealmUsersBody(
      access: own.name,
      users: users.sorted { ($0.name ?? "\u{10FFFF}", $0.userId) < ($1.name ?? "\u{10FFFF}", $1.userId) })
  }
}

extension HTTPAPI {
  /// Tells who has access to a realm and who is connected to it, as far as the bearer may know.
  func realmUsers(_ request: RoutedRequest, _ responder: any HTTPResponder) {
    let (sharing, events) = (sharing, events)
    checking(request, responder) { bearer in
      (bearer, try sharing.path(request.http.queryItem("path") ?? "", by: bearer, wants: .read).path)
    } then: { [self] found in
      let (bearer, path) = found
      let sessions = events.sessions(path)
      answer(.directory, responder) {
        JSONAnswer.response(200, try sharing.users(of: path.description, by: bearer, sessions: sessions))
      }
    }
  }
}
