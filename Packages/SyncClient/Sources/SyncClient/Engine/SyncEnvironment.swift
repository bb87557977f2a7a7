public import Concurrency
import SyncProtocol
import Telemetry
import Transport

/// The effects that a sync client uses: network, loop, executor, randomness, log. Simulations replace all of them.
public struct SyncEnvironment: Sendable {
  /// The network, with its loop and its clocks.
  public var network: any Network
  /// The executor for reads and writes of files, so that the loop never waits for a disk.
  public var executor: any BlockingExecutor
  /// The seeds of the machines: called once for each connection.
  public var seed: @Sendable () -> UInt64
  /// The log of the client.
  public var logger: Logger
  /// Timeouts and intervals of connections.
  public var timing: SyncTiming
  /// Names the launch of the client, so that it knows what an earlier one has left behind.
  public var launch: UInt64 = .random(in: 0 ... .max)
  /// The news that the network may have come back, which end the back-off at once; nil to wait it out.
  public var networkChanges: (any NetworkChangeSource)?
  /// Changes a target just before each connection: headers, trust. Called on the loop.
  public var decorate: (@Sendable (SyncTarget) -> SyncTarget)?

  /// An environment.
  public init(
    network: any Network, executor: any BlockingExecutor = ThreadPoolExecutor(threads: 32, name: "realm-sync-file"),
    seed: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) },
    logger: Logger = .disabled, timing: SyncTiming = .stock, networkChanges: (any NetworkChangeSource)? = nil
  ) {
    self.network = network
    self.executor = executor
    self.seed = seed
    self.logger = logger
    self.timing = timing
    self.networkChanges = networkChanges
  }
}
