import SyncProtocol
import Transport

/// Where a realm is on a server, and on whose behalf it is synced.
public struct SyncTarget: Hashable, Sendable {
  /// The server with the service path, as in `ws://sync.example.org/realm-sync`.
  public var server: NetworkURL
  /// What goes into BIND: `/alice/notes`, or a partition value as JSON.
  public var path: String
  /// Tells users of one server apart: their sessions do not share a connection.
  public var user: String
  /// Whom to trust for `wss`.
  public var trust: TLSClientConfiguration
  /// Further headers of the upgrade request.
  public var headers: HTTPHeaders

  /// A target.
  public init(
    server: NetworkURL, path: String, user: String, trust: TLSClientConfiguration = TLSClientConfiguration(),
    headers: HTTPHeaders = [:]
  ) {
    self.server = server
    self.path = path
    self.user = user
    self.trust = trust
    self.headers = headers
  }

  /// Sessions with equal keys share a connection.
  struct ConnectionKey: Hashable, Sendable {
    var server: NetworkURL
    var user: String
    var trust: TLSClientConfiguration
  }
  var connectionKey: ConnectionKey { ConnectionKey(server: server, user: user, trust: trust) }
}
