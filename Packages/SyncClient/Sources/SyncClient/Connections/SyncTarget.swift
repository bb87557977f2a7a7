import SyncProtocol
import Transport

/// The address of a realm on a server, with the user on whose behalf it is synced.
public struct SyncTarget: Hashable, Sendable {
  /// The server with the service path, as in `ws://sync.example.org/realm-sync`.
  public var server: NetworkURL
  /// The path for BIND: `/alice/notes`, or a partition value as JSON.
  public var path: String
  /// A name of the user: sessions of different users do not share a connection.
  public var user: String
  /// Whether the realm is synced whole or by queries.
  public var flavour: SyncFlavour
  /// The TLS settings for `wss`.
  public var trust: TLSClientConfiguration
  /// Further headers of the upgrade request.
  public var headers: HTTPHeaders

  /// A target.
  public init(
    server: NetworkURL, path: String, user: String, flavour: SyncFlavour = .full,
    trust: TLSClientConfiguration = TLSClientConfiguration(), headers: HTTPHeaders = [:]
  ) {
    self.server = server
    self.path = path
    self.user = user
    self.flavour = flavour
    self.trust = trust
    self.headers = headers
  }

  /// The key of a connection: sessions with equal keys share one.
  struct ConnectionKey: Hashable, Sendable {
    var server: NetworkURL
    var user: String
    var flavour: SyncFlavour
    var trust: TLSClientConfiguration
  }
  var connectionKey: ConnectionKey { ConnectionKey(server: server, user: user, flavour: flavour, trust: trust) }
}
