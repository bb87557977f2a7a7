public import SyncProtocol
public import Transport

/// Everything about a server that an operator may choose.
public struct ServerConfiguration: Sendable {
  /// Where to listen; port 0 asks for any free one.
  public var address = ListenAddress(host: "127.0.0.1", port: 9080)
  /// The address that clients are told to use; nil for the one they used. Must stay stable: old clients remember it.
  public var publicURL: NetworkURL?
  /// Rules about accounts and realms.
  public var accounts = AccountPolicy()
  /// Limits of HTTP.
  public var http = HTTPServerOptions()
  /// Limits of every sync connection.
  public var sync = ServerConnection.Settings()
  /// The most sync connections at a time; further ones are told to come back later.
  public var maximumConnections = 20_000
  /// The most bytes of one message.
  public var maximumMessageBytes = 64 << 20
  /// Bytes that wait to be sent on one connection at which no DOWNLOAD is added until they have gone.
  public var congestionBytes = 4 << 20
  /// The most bytes that wait to be sent on one connection before it is cut.
  public var writeBudget = 256 << 20
  /// The most bytes of changesets in one group commit, beyond the first upload.
  public var groupCommitBytes = 16 << 20
  /// How long a realm without sessions stays open.
  public var realmIdleTimeout: Duration = .seconds(60)
  /// How long stopping waits for connections to close.
  public var stopGrace: Duration = .seconds(5)
  /// How many password hashes are computed side by side, 32 MiB each.
  public var passwordLanes = 2
  /// What `/health` and the `Server` header say.
  public var version = "0.1.0"

  /// The choices above.
  public init() {}
}
