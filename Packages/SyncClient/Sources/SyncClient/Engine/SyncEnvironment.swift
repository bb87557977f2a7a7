public import Concurrency
import SyncProtocol
import Telemetry
import Transport

/// The world a sync client lives in: network, loop, threads, randomness. In simulation all of it is simulated.
public struct SyncEnvironment: Sendable {
  /// The network, with its loop and its clocks.
  public var network: any Network
  /// The executor for reads and writes of files, so that the loop never waits for a disk.
  public var executor: any BlockingExecutor
  /// Where the randomness of machines begins: called once for each connection.
  public var seed: @Sendable () -> UInt64
  /// Where the client says what it does.
  public var logger: Logger
  /// How long things take.
  public var timing: SyncTiming
  /// What is changed in a target just before each connection: headers, trust.
  public var decorate: (@Sendable (SyncTarget) -> SyncTarget)?

  /// A world.
  public init(
    network: any Network, executor: any BlockingExecutor = ThreadPoolExecutor(threads: 32, name: "realm-sync-file"),
    seed: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) },
    logger: Logger = .disabled, timing: SyncTiming = .stock
  ) {
    self.network = network
    self.executor = executor
    self.seed = seed
    self.logger = logger
    self.timing = timing
  }
}
