/// The connections of a client, by server and user: those that have sessions or linger after their last one.
///
/// Used on the client's loop only.
// @unchecked Sendable: `connections` is touched on the loop only.
final class ConnectionPool: @unchecked Sendable {
  private let environment: SyncEnvironment
  private var connections: [SyncTarget.ConnectionKey: SharedConnection] = [:]

  init(_ environment: SyncEnvironment) { self.environment = environment }

  /// The number of connections.
  var count: Int { connections.count }

  /// The connection that all sessions of a target share; made when there is none.
  func connection(for target: SyncTarget, _ tokens: any TokenSource) -> SharedConnection {
    let key = target.connectionKey
    if let connection = connections[key] { return connection }
    let connection = SharedConnection(target: target, tokens: tokens, environment: environment) { [weak self] unused in
      if let self, connections[key] === unused { connections[key] = nil }
    }
    connections[key] = connection
    return connection
  }
}
