import CommitFeed
import Concurrency
import Permissions
import RecordStore
import Telemetry

/// Decides which deliveries run: at most one at a time for each handler and realm, and a bounded number of all.
actor EventDispatcher {
  /// A handler and a realm.
  struct Key: Hashable {
    var handler: Int
    var path: RealmPath
  }

  enum Stage {
    case running(again: Bool)
    case waiting(Task<Void, Never>)
    case quarantined(String)
    case idle
  }

  struct Entry {
    let delivery: RealmDelivery
    var stage: Stage
    var failures = 0
    /// The runs in a row for which the realm was not to be had.
    var waits = 0
    var lastUse: UInt64
  }

  let origin: any EventOrigin
  let configuration: NotifierConfiguration
  let logger: Logger
  let observers: [DeliveryObserver]
  private let slots: WorkSlots
  let retries: RetrySchedule
  /// The pauses for realms that are not to be had.
  let waits: RetrySchedule
  var known: KnownHandlers?
  var entries: [Key: Entry] = [:]
  var matched: Set<Int> = []
  private var uses: UInt64 = 0
  private var whenStopped: [CheckedContinuation<Void, Never>] = []
  let isStopping = StopSignal()

  init(
    _ origin: any EventOrigin, _ configuration: NotifierConfiguration, _ logger: Logger, _ metrics: MetricsRegistry,
    _ clock: any WallClock
  ) {
    self.origin = origin
    self.configuration = configuration
    self.logger = logger
    observers = configuration.handlers.map { DeliveryObserver($0.name, metrics, logger, clock: clock) }
    slots = WorkSlots(configuration.parallelism)
    waits = RetrySchedule(
      numberOfRetries: 16, delay: configuration.retryDelay, longest: min(.seconds(10), configuration.longestRetryDelay))
    retries = RetrySchedule(
      numberOfRetries: configuration.numberOfRetries, delay: configuration.retryDelay,
      longest: configuration.longestRetryDelay)
  }

  /// Takes realms with new commits.
  func wake(_ paths: [RealmPath]) {
    for path in paths {
      for number in configuration.handlers.indices
      where configuration.handlers[number].shouldHandle(path: path.description) {
        matched.insert(number)
        wake(Key(handler: number, path: path))
      }
    }
  }

  /// Runs the delivery of a handler and a realm, once more if it runs.
  func wake(_ key: Key) {
    guard !isStopping.isSet else { return }
    uses += 1
    var entry = entries[key] ?? makeEntry(key)
    entry.lastUse = uses
    switch entry.stage {
    case .running: entry.stage = .running(again: true)
    case .waiting, .quarantined: break
    case .idle:
      entry.stage = .running(again: false)
      run(entry.delivery, key)
    }
    entries[key] = entry
  }

  private func makeEntry(_ key: Key) -> Entry {
    let handler = configuration.handlers[key.handler]
    let replica = handler.needsRealms || origin.needsCopies ? RealmReplica(in: replicaFolder) : nil
    let isStopping = isStopping
    return Entry(
      delivery: RealmDelivery(
        handler, key.path, of: origin, as: identity(of: handler), replica: replica,
        numberOfRetries: configuration.numberOfRetries, observer: observers[key.handler],
        isStopping: { isStopping.isSet }),
      stage: .idle, lastUse: uses)
  }

  /// The name of a handler, and where it begins: a realm that does not know a known handler was made after it.
  func identity(of handler: any NotificationHandler) -> HandlerIdentity {
    HandlerIdentity(
      name: handler.name, start: known?.names.contains(handler.name) == true ? .oldest : .newest,
      budget: configuration.budget)
  }

  private func run(_ delivery: RealmDelivery, _ key: Key) {
    Task {
      await slots.take()
      let outcome = await delivery.run()
      await slots.give()
      finished(key, outcome)
    }
  }

  /// Ends; returns when no handler runs.
  func stop() async {
    isStopping.set()
    for (key, entry) in entries {
      guard case .waiting(let task) = entry.stage else { continue }
      task.cancel()
      entries[key]?.stage = .idle
    }
    guard isBusy else { return entries = [:] }
    await withCheckedContinuation { whenStopped.append($0) }
    entries = [:]
  }

  private var isBusy: Bool { entries.values.contains { if case .running = $0.stage { true } else { false } } }

  /// Ends a stop that waited for the last run.
  func settle() {
    guard isStopping.isSet, !isBusy else { return }
    for waiter in whenStopped { waiter.resume() }
    whenStopped = []
  }
}
