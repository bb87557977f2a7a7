import CommitFeed
import ObjectServer
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
    var lastUse: UInt64
  }

  let server: ObjectServer
  let configuration: NotifierConfiguration
  let logger: Logger
  let observers: [DeliveryObserver]
  private let slots: WorkSlots
  private let retries: RetrySchedule
  var known: KnownHandlers?
  var entries: [Key: Entry] = [:]
  var matched: Set<Int> = []
  private var uses: UInt64 = 0
  private var whenStopped: [CheckedContinuation<Void, Never>] = []
  let isStopping = StopSignal()

  init(
    _ server: ObjectServer, _ configuration: NotifierConfiguration, _ logger: Logger, _ metrics: MetricsRegistry,
    _ clock: any WallClock
  ) {
    self.server = server
    self.configuration = configuration
    self.logger = logger
    observers = configuration.handlers.map { DeliveryObserver($0.name, metrics, logger, clock: clock) }
    slots = WorkSlots(configuration.parallelism)
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
    // A realm that does not know a known handler was made after it.
    let start: FeedStart = known?.names.contains(handler.name) == true ? .oldest : .newest
    let replica = handler.needsRealms ? RealmReplica(in: replicaFolder) : nil
    let isStopping = isStopping
    return Entry(
      delivery: RealmDelivery(
        handler, key.path, server: server, start: start, budget: configuration.budget, replica: replica,
        numberOfRetries: configuration.numberOfRetries, observer: observers[key.handler],
        isStopping: { isStopping.isSet }),
      stage: .idle, lastUse: uses)
  }

  private func run(_ delivery: RealmDelivery, _ key: Key) {
    Task {
      await slots.take()
      let outcome = await delivery.run()
      await slots.give()
      finished(key, outcome)
    }
  }

  private func finished(_ key: Key, _ outcome: RealmDelivery.Outcome) {
    guard var entry = entries[key] else { return }
    let isAgain = if case .running(again: true) = entry.stage { true } else { false }
    switch outcome {
    case .gone:
      entries[key] = nil
    case .idle, .stopped:
      entry.failures = 0
      entry.stage = .idle
      entries[key] = entry
      evict()
    case .failed(let error, let hasHandled):
      entry.failures = hasHandled ? 1 : entry.failures + 1
      entry.stage = stage(after: entry.failures, key, error)
      entries[key] = entry
      // A realm that is not worked on costs no memory, however many of them fail at a time.
      if entries.count > configuration.maximumReplicas { entry.delivery.rest() }
    }
    if isAgain, case .failed = outcome {} else if isAgain { wake(key) }
    settle()
  }

  /// Decides what follows a failure.
  private func stage(after failures: Int, _ key: Key, _ error: any Error) -> Stage {
    let fields: LogFields = [
      "handler": .string(configuration.handlers[key.handler].name), "path": .string(key.path.description),
      "failures": LogValue(failures), "reason": .string("\(error)"),
    ]
    guard let delay = retries.delay(after: failures) else {
      logger.error("an event handler fails on a realm, which is quarantined for it", fields)
      observers[key.handler].quarantined.add(1)
      return .quarantined("\(error)")
    }
    logger.warn("an event handler failed and is called again", fields)
    return .waiting(
      Task {
        try? await Task.sleep(for: delay)
        retry(key)
      })
  }

  private func retry(_ key: Key) {
    guard case .waiting? = entries[key]?.stage else { return }
    entries[key]?.stage = .idle
    wake(key)
    settle()
  }

  /// Lets go of the copies that were used least lately.
  private func evict() {
    guard entries.count > configuration.maximumReplicas else { return }
    let idle = entries.filter { if case .idle = $0.value.stage { true } else { false } }
    for (key, _) in idle.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(
      entries.count - configuration.maximumReplicas)
    {
      entries[key] = nil
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

  private func settle() {
    guard isStopping.isSet, !isBusy else { return }
    for waiter in whenStopped { waiter.resume() }
    whenStopped = []
  }
}
