public import AccessTokens
import Concurrency
public import Cryptography
public import Telemetry
public import Transport

/// Everything outside the server that it touches: network and clock, disk, randomness, log. A simulation supplies its own.
public struct ServerEnvironment: Sendable {
  /// The network; its scheduler is the loop and the clock of the server.
  public var network: any Network
  /// The executor for blocking work.
  public var executor: any BlockingExecutor
  /// Users, realms and grants.
  public var directory: any Directory
  /// The realms' files.
  public var stores: any HistoryStores
  /// Where uploads go that cannot be integrated; nil to report them only.
  public var quarantine: (any Quarantine)?
  /// Tells whether anything can be written; nil where that is not in question.
  public var writeProbe: WriteProbe?
  /// Signs tokens.
  public var issuer: TokenIssuer
  /// Keys of other systems whose tokens log users in.
  public var foreignKeys: [VerificationKey]
  /// Idents, salts, tokens of offers.
  public var random: RandomSource
  /// Where the server tells what happens.
  public var logger: Logger
  /// The server's numbers.
  public var metrics: MetricsRegistry
  /// What to release when the server has stopped, such as the lock of a data directory.
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
