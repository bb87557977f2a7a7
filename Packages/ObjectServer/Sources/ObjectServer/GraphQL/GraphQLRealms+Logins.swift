import Permissions
import Telemetry

/// Tokens, logins and grants that end while WebSockets are open. On the loop.
extension GraphQLRealms {
  /// Closes the WebSockets whose tokens have expired, or whose users may no longer do what they could when they connected.
  ///
  /// - Complexity: O(WebSockets), and a few look-ups of the directory for each distinct bearer and realm.
  func review(at time: WallTime) {
    for socket in sockets.values where socket.bearer.map({ $0.expiresAt <= time }) ?? false {
      socket.forbid("Forbidden: the access token has expired")
    }
    reviewAccess { _ in true }
  }

  /// Decides again about the access to some realms.
  func grantsChanged(_ paths: [RealmPath]) {
    let changed = Set(paths)
    reviewAccess { target in changed.contains(target.path) }
  }

  private func reviewAccess(_ isConcerned: (RealmTarget) -> Bool) {
    struct Question: Hashable {
      var path: String
      var bearer: Bearer
    }
    var questions: Set<Question> = []
    for socket in sockets.values {
      guard let bearer = socket.bearer, let target = socket.target, isConcerned(target) else { continue }
      questions.insert(Question(path: socket.requestedPath, bearer: bearer))
    }
    guard !questions.isEmpty, settings.asksForTokens else { return }
    let realms = self
    let asked = questions
    hub.context.perform(.directory) { () -> [Question: RealmTarget?] in
      var answers: [Question: RealmTarget?] = [:]
      for question in asked {
        let stands = (try? realms.stands(question.bearer)) ?? true
        answers.updateValue(stands ? try? realms.target(question.path, question.bearer) : nil, forKey: question)
      }
      return answers
    } then: { [weak self] result in
      guard let self, case .success(let answers) = result else { return }
      for socket in sockets.values {
        guard let bearer = socket.bearer, socket.target != nil,
          let answer = answers[Question(path: socket.requestedPath, bearer: bearer)]
        else { continue }
        if let target = answer, target.access == socket.target?.access {
          socket.take(target)
        } else {
          socket.forbid("Forbidden: the access has changed")
        }
      }
    }
  }

  /// Whether the login and the user of a bearer are as they were.
  private func stands(_ bearer: Bearer) throws -> Bool {
    if let id = bearer.login {
      guard let login = try directory.login(id), login.user == bearer.user else { return false }
    }
    guard bearer.user != Accounts.administratorTokenUser else { return true }
    guard let user = try directory.user(bearer.user), !user.isDisabled else { return false }
    return user.isAdministrator == bearer.subject.isAdministrator
  }
}
