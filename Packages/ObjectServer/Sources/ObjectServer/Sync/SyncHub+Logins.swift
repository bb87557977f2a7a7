import Permissions
import Telemetry

extension SyncHub {
  /// Closes the connections of ended or expired logins, of removed or disabled users, of users who became administrators or
  /// ceased to be, and of expired access tokens: their bearers come back with new ones.
  ///
  /// - Complexity: O(connections), and two look-ups of the directory for each distinct bearer.
  func reviewLogins(at time: WallTime, then completion: @escaping @Sendable () -> Void) {
    for connection in ordered() where connection.bearer.expiresAt <= time { connection.handle(.tokenExpired) }
    review({ _ in true }, then: completion)
  }

  /// Looks up the bearers of some connections again, and closes those that do not stand any more.
  func review(
    _ isConcerned: @escaping @Sendable (SyncConnection) -> Bool, then completion: @escaping @Sendable () -> Void = {}
  ) {
    graphQL?.review(at: context.scheduler.wallTime)
    let bearers = Set(connections.values.filter(isConcerned).map(\.bearer))
    guard !bearers.isEmpty else { return completion() }
    let (directory, time) = (directory, context.scheduler.wallTime)
    context.perform(.feed) { () throws(ServerError) -> Set<Bearer> in
      var ended: Set<Bearer> = []
      for bearer in bearers where try !Self.stands(bearer, at: time, directory) { ended.insert(bearer) }
      return ended
    } then: { [weak self] result in
      switch result {
      case .success(let ended) where !ended.isEmpty:
        for connection in self?.ordered() ?? [] where ended.contains(connection.bearer) {
          connection.handle(.tokenExpired)
        }
      case .success: break
      case .failure(let error):
        // Connections that cannot be looked up stay open; the next review looks again.
        self?.logger.error("logins cannot be reviewed", ["reason": LogValue("\(error)")])
      }
      completion()
    }
  }

  /// Whether the facts are unchanged that were found when the connection was opened.
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
