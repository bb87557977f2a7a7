public import Permissions
public import SyncProtocol
public import Transport

/// The settings of a server.
public struct ServerConfiguration: Sendable {
  /// The address to listen on; port 0 for any free one.
  public var address = ListenAddress(host: "127.0.0.1", port: 9080)
  /// The address that clients are told to use; nil for the one they used. Must stay stable: old clients remember it.
  public var publicURL: NetworkURL?
  /// Rules about accounts and realms.
  public var accounts = AccountPolicy()
  /// Other systems whose tokens log users in.
  public var tokenProviders: [TokenProvider] = []
  /// Functions of the operator that log users in.
  public var functionProviders: [FunctionProvider] = []
  /// The realms that apps with queries open, by app id. An app that is not named here opens `/default`.
  public var apps: [String: Permissions.RealmPath] = [:]
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
  /// The most bytes of waiting uploads and unsent downloads, over all connections. Above it uploading clients are not read
  /// from, and clients with unread downloads get no more.
  public var memoryBudget = 512 << 20
  /// A connection on which downloads wait and none of their bytes is read for this long is cut.
  public var slowReaderTimeout: Duration = .seconds(120)
  /// The time between two checks of the logins and access tokens of open connections.
  public var loginReviewInterval: Duration = .seconds(60)
  /// The clients that may read `/metrics`.
  public var metricsAccess = ClientScope.all
  /// The pages of Studio, the console for browsers; nil for none.
  public var studio: StaticFiles?
  /// The clients for which Studio exists.
  public var studioAccess = ClientScope.local
  /// Whether clients come through a proxy on this machine that sends no forwarding headers. Then no client counts as local: downloads are compressed for all, and
  /// ``ClientScope/local`` admits no client.
  public var isBehindProxy = false
  /// The proxies that say who their clients are, for everything that counts addresses or names them.
  public var trustedProxies = TrustedProxies()
  /// The most bytes of one message, packed and unpacked. A transaction travels in one message; of a larger one only the head is
  /// looked at, and its session ends.
  public var maximumMessageBytes = 256 << 20
  /// Bytes that wait to be sent on one connection at which no DOWNLOAD is added until they have gone.
  public var congestionBytes = 4 << 20
  /// The most bytes that wait to be sent on one connection before it is cut.
  public var writeBudget = 384 << 20
  /// The most weight of uploads in one group commit, beyond the first: their bytes, and 64 for each changeset.
  public var groupCommitBytes = 4 << 20
  /// The rules for keeping history.
  public var history = RetentionPolicy()
  /// The settings of mail; nil for a server that sends none.
  public var mail: MailSettings?
  /// The time between two runs that give unused space of realm files back to the disk, as
  /// ``EmbeddedServer/vacuum(_:clock:progress:rewritten:isCancelled:)`` does; nil for none.
  public var vacuumInterval: Duration?
  /// The time after which the files of an idle realm are closed. Its sessions stay; the next request opens the files again.
  public var realmIdleTimeout: Duration = .seconds(5)
  /// The most idle realms with open files; the longest idle one is closed first.
  public var maximumOpenRealms = 128
  /// The time that moving or deleting a realm waits for event handlers and other consumers that hold its files.
  public var holdPatience: Duration = .seconds(30)
  /// The time that stopping waits for connections to close.
  public var stopGrace: Duration = .seconds(5)
  /// The most password hashes that are computed side by side, 32 MiB each.
  public var passwordQueues = 2
  /// GraphQL.
  public var graphQL = GraphQLSettings()
  /// The version of the program, for `/health` and the `Server` header.
  public var version = "embedded"

  /// The choices above.
  public init() {}

  /// The realm of an app with queries.
  ///
  /// - Parameter app: its id; nil for a client that names none.
  func realm(ofApp app: String?) -> Permissions.RealmPath { app.flatMap { apps[$0] } ?? .ofApps }

  /// The settings with the realms of ``apps`` in the rules of access.
  func withRulesOfApps() -> ServerConfiguration {
    var configuration = self
    configuration.accounts.rules.appRealms.formUnion(apps.values)
    return configuration
  }

  /// The limits of a sync connection, with those of the server in them.
  var connectionSettings: ServerConnection.Settings {
    var settings = sync
    settings.limits.messageBytes = maximumMessageBytes
    settings.limits.inflatedBytes = maximumMessageBytes
    return settings
  }
}
