import ChangesetOT
import CommitFeed
import Foundation
import ObjectServer
import Permissions
import RecordStore
import Synchronization
import Telemetry

/// Decides which deliveries run: at most one at a time for each handler and realm, and a bounded number of all.
actor EventDispatcher {
  /// A handler and a realm.
  struct Key: Hashable {
    var handler: Int
    var path: RealmPath
  }

  private enum Stage {
    case running(again: Bool)
    case waiting(Task<Void, Never>)
    case quarantined(String)
    case idle
  }

  private struct Entry {
    let delivery: RealmDelivery
    var stage: Stage
    var failures = 0
    var lastUse: UInt64
  }

  private let server: ObjectServer
  private let configuration: NotifierConfiguration
  private let logger: Logger
  private let observers: [DeliveryObserver]
  private let slots: WorkSlots
  private let retries: RetrySchedule
  private var known: KnownHandlers?
  private var entries: [Key: Entry] = [:]
  private var matched: Set<Int> = []
  private var uses: UInt64 = 0
  private var whenStopped: [CheckedContinuation<Void, Never>] = []
  private let isStopping = StopSignal()

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

  /// Reads the working directory, and removes the copies of an earlier process.
  func prepare() throws {
    known = try KnownHandlers(in: configuration.workingDirectory)
    try? FileManager.default.removeItem(atPath: replicaFolder)
    do {
      try FileManager.default.createDirectory(
        atPath: replicaFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EventError(
        .workingDirectory, "\(replicaFolder) cannot be made", remedy: "check its permissions", cause: error)
    }
  }

  private var replicaFolder: String { configuration.workingDirectory + "/replicas" }

  /// Makes new handlers known to the realms that there are, and delivers what came while the process did not run.
  func begin(_ paths: [RealmPath]) async throws {
    for number in configuration.handlers.indices {
      let handler = configuration.handlers[number]
      let matching = paths.filter { handler.shouldHandle(path: $0.description) }
      if matching.isEmpty {
        logger.warn("the pattern of an event handler matches no realm yet", ["handler": .string(handler.name)])
      } else {
        matched.insert(number)
      }
      if known?.names.contains(handler.name) != true {
        for path in matching where !isStopping.isSet { try await introduce(handler, to: path) }
        try known?.insert(handler.name)
      } else {
        for path in matching { wake(Key(handler: number, path: path)) }
      }
    }
  }

  /// Gives a new handler its position in a realm: the newest.
  private func introduce(_ handler: any NotificationHandler, to path: RealmPath) async throws {
    guard let hold = try await server.hold(path) else { return }
    let (cursor, budget, name) = (EventCursor.name(of: handler.name), configuration.budget, path.description)
    try await hold.perform { history in
      let feed = CommitFeed(of: name, history)
      if try feed.knownReader(cursor) == nil { _ = try feed.reader(cursor, budget: budget, from: .newest) }
    }
  }

  // MARK: Running

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

  private func wake(_ key: Key) {
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
    let replica =
      handler.needsRealms ? RealmReplica(path: "\(replicaFolder)/\(UUID().uuidString).realm") : nil
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
    case .failed(let error):
      entry.failures += 1
      entry.stage = stage(after: entry.failures, key, error)
      entries[key] = entry
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

  // MARK: Quarantine

  func quarantined() -> [QuarantinedRealm] {
    entries.compactMap { key, entry in
      guard case .quarantined(let reason) = entry.stage else { return nil }
      return QuarantinedRealm(
        path: key.path.description, handler: configuration.handlers[key.handler].name, reason: reason)
    }.sorted { ($0.handler, $0.path) < ($1.handler, $1.path) }
  }

  func release(_ path: String, handler: String, skipping: Bool) -> Bool {
    for (key, entry) in entries
    where key.path.description == path && configuration.handlers[key.handler].name == handler {
      guard case .quarantined = entry.stage else { continue }
      observers[key.handler].quarantined.add(-1)
      if skipping { entry.delivery.skip() }
      entries[key]?.failures = 0
      entries[key]?.stage = .idle
      wake(key)
      return true
    }
    return false
  }

  func handlersWithoutRealms() -> [String] {
    configuration.handlers.indices.filter { !matched.contains($0) }.map { configuration.handlers[$0].name }
  }

  // MARK: Stopping

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

/// A flag that is set once.
final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Whether it is set.
  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets it.
  func set() { flag.store(true, ordering: .releasing) }
}
