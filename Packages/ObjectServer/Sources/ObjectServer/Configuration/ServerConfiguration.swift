public import SyncProtocol
public import Transport

/// Everything about a server that an operator may choose.
public struct ServerConfiguration: Sendable {
  /// Who may read `/metrics`.
  public enum MetricsAccess: String, Hashable, Sendable {
    /// Everybody who can reach the server.
    case all
    /// This machine only.
    case local
    /// Nobody.
    case none
  }

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
  /// New sync connections per second from one address, on average; five times as many at once.
  public var connectionsPerSecond = 200
  /// New realms per second of one user, on average; twenty times as many at once.
  public var realmsPerSecond = 100
  /// New users per second from one address, on average; five times as many at once.
  public var accountsPerSecond = 20
  /// Bytes of uploads that wait for the disk and of downloads that wait for their readers, over all connections. Beyond it
  /// uploading clients are not read from, and clients that have something to read get no more.
  public var memoryBudget = 512 << 20
  /// A connection on which downloads wait and none of their bytes is read for this long is cut.
  public var slowReaderTimeout: Duration = .seconds(120)
  /// How often it is checked that the logins and access tokens of open connections still stand.
  public var loginReviewInterval: Duration = .seconds(60)
  /// Who may read `/metrics`.
  public var metricsAccess = MetricsAccess.all
  /// Whether a proxy on the same machine brings clients without saying so in a header. Then nobody counts as a program of this
  /// machine: downloads are compressed for all, and ``MetricsAccess/local`` lets nobody read `/metrics`.
  public var isBehindProxy = false
  /// The most bytes of one message, packed and unpacked. A transaction travels in one message; of a larger one only the head is
  /// looked at, and its session ends.
  public var maximumMessageBytes = 256 << 20
  /// Bytes that wait to be sent on one connection at which no DOWNLOAD is added until they have gone.
  public var congestionBytes = 4 << 20
  /// The most bytes that wait to be sent on one connection before it is cut.
  public var writeBudget = 384 << 20
  /// The most weight of uploads in one group commit, beyond the first: their bytes, and 64 for each changeset.
  public var groupCommitBytes = 4 << 20
  /// How long the history of realms is kept, and when clients get the state instead.
  public var history = RetentionPolicy()
  /// How long the files of a realm stay open in which nothing happens. Its sessions stay; the next request opens them again.
  public var realmIdleTimeout: Duration = .seconds(5)
  /// Realms whose files may be open at a time, beyond those that are at work: the longest at rest is closed first.
  public var maximumOpenRealms = 128
  /// How long stopping waits for connections to close.
  public var stopGrace: Duration = .seconds(5)
  /// How many password hashes are computed side by side, 32 MiB each.
  public var passwordQueues = 2
  /// What `/health` and the `Server` header say.
  public var version = "0.1.0"

  /// The choices above.
  public init() {}

  /// The limits of a sync connection, with those of the server in them.
  var connectionSettings: ServerConnection.Settings {
    var settings = sync
    settings.limits.messageBytes = maximumMessageBytes
    settings.limits.inflatedBytes = maximumMessageBytes
    return settings
  }
}
