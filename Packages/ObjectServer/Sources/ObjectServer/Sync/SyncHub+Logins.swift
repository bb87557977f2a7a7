import Permissions
import Telemetry

extension SyncHub {
  /// Closes the connections of logins that have ended or expired since, of users that are gone, shut out, or made or no
  /// longer administrators, and those that were opened with an access token that has expired since: its bearer comes back
  /// with a new one.
  func reviewLogins(at time: WallTime, then completion: @escaping @Sendable () -> Void) {
    for connection in ordered() where connection.bearer.expiresAt <= time { connection.handle(.tokenExpired) }
    let bearers = Set(connections.values.map(\.bearer))
    guard !bearers.isEmpty else { return completion() }
    let directory = directory
    context.perform(.directory) { () throws(ServerError) -> Set<Bearer> in
      var ended: Set<Bearer> = []
      for bearer in bearers where try !Self.stands(bearer, at: time, directory) { ended.insert(bearer) }
      return ended
    } then: { [weak self] result in
      if let self, case .success(let ended) = result, !ended.isEmpty {
        for connection in ordered() where ended.contains(connection.bearer) { connection.handle(.tokenExpired) }
      }
      completion()
    }
  }

  /// Whether what was found when a connection was opened is still so.
  private static func stands(
    _ bearer: Bearer, at time: WallTime, _ directory: any Directory
  ) throws(ServerError) -> Bool {
    if let id = bearer.login {
      guard let login = try directory.login(id), login.user == bearer.user, login.expiresAt > time else { return false }
    }
    guard bearer.user != Accounts.administratorTokenUser else { return true }
    guard let user = try directory.user(bearer.user), !user.isDisabled else { return false }
    return user.isAdministrator == bearer.subject.isAdministrator
  }
}
