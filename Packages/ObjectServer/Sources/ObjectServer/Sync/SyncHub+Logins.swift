import Telemetry

extension SyncHub {
  /// Closes the connections of logins that have ended or expired since, of users that are gone or shut out, and those that
  /// were opened with an access token that has expired since: its bearer comes back with a new one.
  func reviewLogins(at time: WallTime, then completion: @escaping @Sendable () -> Void) {
    for connection in ordered() where connection.bearer.expiresAt <= time { connection.handle(.tokenExpired) }
    let logins = Set(connections.values.compactMap(\.bearer.login))
    guard !logins.isEmpty else { return completion() }
    let directory = directory
    desk.perform(.directory) { () throws(ServerError) -> [String] in
      var ended: [String] = []
      for id in logins {
        guard let login = try directory.login(id), login.expiresAt > time, let user = try directory.user(login.user),
          !user.isDisabled
        else {
          ended.append(id)
          continue
        }
      }
      return ended.sorted()
    } then: { [weak self] result in
      if case .success(let ended) = result, !ended.isEmpty { self?.loginsEnded(ended) }
      completion()
    }
  }
}
