import Concurrency
import Permissions
import SyncProtocol

extension SyncHub {
  /// The number of open sessions of a realm, by user; without those of the server's own token.
  ///
  /// - Complexity: O(sessions of the realm).
  func sessions(of path: Permissions.RealmPath) -> [UserId: Int] {
    var counts: [UserId: Int] = [:]
    for member in realms[path]?.members.values ?? [:].values
    where member.subject.user != Accounts.administratorTokenUser {
      counts[member.subject.user, default: 0] += 1
    }
    return counts
  }

  /// Decides again about the access of every session of these realms and of their partial views.
  ///
  /// - Complexity: O(realms in use).
  func grantsChanged(_ paths: [Permissions.RealmPath]) {
    graphQL?.grantsChanged(paths)
    let changed = Set(paths)
    let concerned = realms.filter { path, _ in
      changed.contains(path) || path.partialView.map { changed.contains($0.realm) } ?? false
    }
    for (path, realm) in concerned.sorted(by: { $0.key.description < $1.key.description }) {
      let directory = directory
      context.perform(.feed) { () throws(ServerError) -> RealmFacts in
        try directory.facts(of: path)
      } then: { [weak self] result in
        guard let self, case .success(let facts) = result else { return }
        apply(facts, to: realm)
      }
    }
  }

  private func apply(_ facts: RealmFacts, to realm: RealmSequencer) {
    for (ident, member) in realm.ordered() {
      let decision = configuration.accounts.rules.decide(member.subject, wants: .read, of: facts)
      if decision.isAllowed {
        realm.setAccess(decision, of: ident)
      } else {
        member.deliver(
          .sessionFailed(
            ident.session, SessionFailure(.permissionDenied, "Permission withdrawn: \(decision.explanation)")))
      }
    }
  }
}
