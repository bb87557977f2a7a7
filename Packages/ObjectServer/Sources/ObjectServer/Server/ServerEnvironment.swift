public import AccessTokens
import Concurrency
public import Cryptography
public import Telemetry
public import Transport

/// The environment of a server: network and clock, disk, randomness, log. A simulation supplies its own.
public struct ServerEnvironment: Sendable {
  /// The network; its scheduler is the loop and the clock of the server.
  public var network: any Network
  /// The executor for blocking work.
  public var executor: any BlockingExecutor
  /// The directory of users, realms and grants.
  public var directory: any Directory
  /// The files of realms.
  public var stores: any HistoryStores
  /// Where the realms of a cluster are; nil for a server that is alone and has all realms.
  public var placement: (any RealmPlacement)?
  /// Counts what clients do to accounts, with the other nodes of a cluster; nil for a server that counts in its memory.
  public var accountLimits: (any AccountLimits)?
  /// The accounts that wait for their confirmation, of all nodes of a cluster; nil for a server that keeps them in the folder of its mail.
  public var pendingAccounts: (any PendingAccounts)?
  /// Keeps uploads that cannot be integrated; nil to report them only.
  public var quarantine: (any Quarantine)?
  /// Tests whether the disk can be written, for `/health/ready`; nil for no test.
  public var writeProbe: WriteProbe?
  /// Gives unused space of the files back to the disk, until it is done or its argument answers true; nil where there is none
  /// to give back.
  public var vacuum: (@Sendable (_ isCancelled: () -> Bool) throws(ServerError) -> VacuumReport)?
  /// The operations on the data directory, for administration; nil where there is none.
  public var files: ServerFiles?
  /// The audit log; nil for none.
  public var audit: AuditLog?
  /// The entries of the log that were written last, for administration; nil for none. The logger writes them there.
  public var recentLogs: RecentLogs?
  /// The webhooks that run on the server, for administration; nil for none.
  public var webhooks: (any WebhookAdministration)?
  /// Sends messages, with the folder of those that wait and the key of the links in them; nil for a server that sends none.
  public var mail: MailEnvironment?
  /// Signs tokens.
  public var issuer: TokenIssuer
  /// Reads the keys of tokens again after a rotation; nil where they do not change.
  public var readIssuer: (@Sendable () throws(ServerError) -> TokenIssuer)?
  /// Keys of other systems whose tokens log users in.
  public var foreignKeys: [VerificationKey]
  /// The source of idents, salts and secrets.
  public var random: RandomSource
  /// The log.
  public var logger: Logger
  /// The registry of the server's metrics.
  public var metrics: MetricsRegistry
  /// Called when the server has stopped: releases for example the lock of a data directory.
  public var release: @Sendable () -> Void

  /// An environment with all its parts.
  public init(
    network: any Network, executor: any BlockingExecutor, directory: any Directory, stores: any HistoryStores,
    issuer: TokenIssuer, foreignKeys: [VerificationKey] = [], random: RandomSource, logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry(), release: @escaping @Sendable () -> Void = {}
  ) {
    self.network = network
    self.executor = executor
    self.directory = directory
    self.stores = stores
    self.issuer = issuer
    self.foreignKeys = foreignKeys
    self.random = random
    self.logger = logger
    self.metrics = metrics
    self.release = release
  }
}
