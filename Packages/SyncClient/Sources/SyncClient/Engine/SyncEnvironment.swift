import SyncProtocol
import Telemetry
import Transport

/// The world a sync client lives in: network, loop, threads, randomness. In simulation all of it is simulated.
public struct SyncEnvironment: Sendable {
  /// The network, with its loop and its clocks.
  public var network: any Network
  /// Where files are read and written, so that the loop never waits for a disk.
  public var workers: any FileWorkers
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
    network: any Network, workers: any FileWorkers,
    seed: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) },
    logger: Logger = .disabled, timing: SyncTiming = .stock
  ) {
    self.network = network
    self.workers = workers
    self.seed = seed
    self.logger = logger
    self.timing = timing
  }
}
