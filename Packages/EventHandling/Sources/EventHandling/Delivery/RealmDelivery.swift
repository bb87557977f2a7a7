import ChangesetOT
import CommitFeed
import Foundation
import ObjectServer
import ObjectStore
import Permissions
import RecordStore

/// The delivery of one realm's commits to one handler, in order. One task at a time runs it.
final class RealmDelivery: @unchecked Sendable {
  /// The outcome of a run.
  enum Outcome: Sendable {
    /// Everything is handled.
    case idle
    /// The realm does not exist.
    case gone
    /// The handler, or a file, failed; the same is tried again later.
    case failed(any Error)
    /// The notifier stops.
    case stopped
  }

  private let handler: any NotificationHandler
  private let path: RealmPath
  private let server: ObjectServer
  private let start: FeedStart
  private let budget: FeedBudget
  private let observer: DeliveryObserver
  private let replica: RealmReplica?
  private let numberOfRetries: Int
  private let isStopping: @Sendable () -> Bool
  /// Events that are read and not handled.
  private var queue: ArraySlice<RealmEvent> = []
  /// The position behind the queue.
  private var queueEnd: SaltedServerVersion?
  /// The realms before and after the first event of the queue, once the copy has taken it over.
  private var prepared: Prepared?
  private var author: FileIdent?
  /// The newest position that is handled and not stored yet.
  private var handled: SaltedServerVersion?
  private var lastStored = ContinuousClock.now
  /// The calls in a row that failed with the first event of the queue.
  private var failures = 0

  private struct Prepared {
    var version: ServerVersion
    var before: Realm?
    var after: Realm?
    var changes: [String: ChangeSetDetails]
  }

  /// Positions are stored once for all events that are handled within this time.
  private static let storing: Duration = .milliseconds(50)

  /// - Parameter start: where the handler begins in a realm that it does not know.
  init(
    _ handler: any NotificationHandler, _ path: RealmPath, server: ObjectServer, start: FeedStart, budget: FeedBudget,
    replica: RealmReplica?, numberOfRetries: Int, observer: DeliveryObserver, isStopping: @escaping @Sendable () -> Bool
  ) {
    self.handler = handler
    self.path = path
    self.server = server
    self.start = start
    self.budget = budget
    self.replica = replica
    self.observer = observer
    self.numberOfRetries = numberOfRetries
    self.isStopping = isStopping
  }

  private var cursor: String { EventCursor.name(of: handler.name) }

  /// Delivers until there is nothing more, or the handler fails.
  func run() async -> Outcome {
    let hold: RealmHold
    do {
      guard let held = try await server.hold(path) else { return .gone }
      hold = held
      try await prepare(hold)
    } catch {
      return .failed(error)
    }
    do {
      while !isStopping() {
        guard try await fill(hold) else {
          try await storePosition(hold)
          return .idle
        }
        while let event = queue.first, !isStopping() {
          try await handle(event, hold)
          queue.removeFirst()
          prepared = nil
          handled = event.position
          if ContinuousClock.now - lastStored > Self.storing { try await storePosition(hold) }
        }
        if queue.isEmpty, let queueEnd {
          handled = queueEnd
          replica?.pass(to: queueEnd.version)
        }
      }
      try await storePosition(hold)
      return .stopped
    } catch {
      // Events that were handled before are not told again.
      do { try await storePosition(hold) } catch { forget() }
      if let replica, replica.position == nil { forget() }
      return .failed(error)
    }
  }

  /// Skips the event that the handler fails on.
  func skip() {
    guard let event = queue.first else { return }
    queue.removeFirst()
    prepared = nil
    failures = 0
    handled = event.position
  }

  private func forget() {
    queue = []
    queueEnd = nil
    handled = nil
    prepared = nil
    replica?.discard()
  }

  /// Makes the handler known to the realm, and checks that the realm is still that of the events in memory.
  private func prepare(_ hold: RealmHold) async throws {
    let (cursor, budget, start, first) = (cursor, budget, start, queue.first?.position ?? handled)
    let path = path.description
    let (author, isSame) = try await hold.perform { history -> (FileIdent, Bool) in
      let feed = CommitFeed(of: path, history)
      _ = try feed.knownReader(cursor) ?? feed.reader(cursor, budget: budget, from: start)
      var random = SystemRandomNumberGenerator()
      let author = try history.feedAuthor(cursor, random: &random)
      guard let first else { return (author, true) }
      do { try feed.check(first) } catch is FeedError { return (author, false) }
      return (author, true)
    }
    if !isSame { forget() }
    if let known = self.author, known != author { forget() }
    self.author = author
  }

  /// Reads events unless there are some.
  ///
  /// - Returns: whether there are some.
  private func fill(_ hold: RealmHold) async throws -> Bool {
    guard queue.isEmpty else { return true }
    // The reader goes on from the stored position.
    try await storePosition(hold)
    let (cursor, path, replica) = (cursor, path.description, replica)
    let batch = try await hold.perform { history -> EventBatch in
      let feed = CommitFeed(of: path, history)
      guard var reader = try feed.knownReader(cursor) else { return .none }
      do {
        guard let batch = try reader.next() else { return .none }
        if let replica, replica.position != batch.start {
          do { try replica.makeState(before: batch) } catch let error as FeedPastError {
            _ = error
            return .gap(
              FeedGap(cursor: cursor, position: batch.start, newest: try feed.present().position, reason: .trimmed))
          }
        }
        return .commits(try batch.commits.map { try RealmEvent($0, of: batch) }, end: batch.end)
      } catch FeedError.fellBehind(let gap) {
        return .gap(gap)
      }
    }
    switch batch {
    case .none: return false
    case .commits(let events, let end):
      queue = events[...]
      queueEnd = end
      return true
    case .gap(let gap):
      try await catchUp(over: gap, hold)
      return true
    }
  }

  private func handle(_ event: RealmEvent, _ hold: RealmHold) async throws {
    let prepared = try await prepared(event, hold)
    guard event.author != author else { return observer.skippedOwn() }
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path.description, position: event.position), author: event.author,
      timestamp: event.timestamp, isCatchUp: false, previousRealm: prepared.before, currentRealm: prepared.after,
      changes: prepared.changes, schema: event.schema, hold: hold, target: target(event.position))
    try await call(details, event.timestamp)
  }

  /// Calls the handler. What it wrote together with its position is done, also when it fails afterwards.
  private func call(_ details: ChangeDetails, _ timestamp: OriginTimestamp?) async throws {
    defer { if details.isLent.load(ordering: .acquiring) { details.hold.noteCommit() } }
    do { try await observer.measuring(timestamp) { try await handler.handleChange(details) } } catch {
      guard !details.isWritten.load(ordering: .acquiring) else {
        observer.failedAfterWriting(error, details.id)
        failures = 0
        return
      }
      failures += 1
      guard failures > numberOfRetries, try await handler.giveUp(details, after: error) else { throw error }
    }
    failures = 0
  }

  private func target(_ position: SaltedServerVersion) -> ChangeDetails.WriteTarget {
    ChangeDetails.WriteTarget(
      cursor: cursor, author: author ?? .none, position: position, objectTypes: handler.objectTypes)
  }

  /// Lets the copy take the event over, once, and tells its changes.
  private func prepared(_ event: RealmEvent, _ hold: RealmHold) async throws -> Prepared {
    let version = event.position.version
    if let prepared, prepared.version == version { return prepared }
    let (replica, types) = (replica, handler.objectTypes)
    let isFirst = replica?.position == .zero
    let prepared = UncheckedBox(
      try await hold.perform { _ -> UncheckedBox<Prepared> in
        var prepared = Prepared(version: version, changes: [:])
        guard let replica else {
          prepared.changes = .init(event.changes ?? [], schema: event.schema, previous: nil, current: nil)
          return UncheckedBox(prepared)
        }
        if !isFirst { prepared.before = try replica.frozen(types) }
        let old = event.changes == nil ? try replica.contents() : nil
        try replica.apply(event.changeset, making: version)
        prepared.after = try replica.frozen(types)
        if let changes = event.changes {
          prepared.changes = .init(changes, schema: event.schema, previous: prepared.before, current: prepared.after)
        } else if let new = try replica.contents() {
          prepared.changes = try .init(from: old, to: new, previous: prepared.before, current: prepared.after)
        }
        return UncheckedBox(prepared)
      }.value
    ).value
    self.prepared = prepared
    return prepared
  }

  /// Tells everything that is different from the last state that the handler saw, in one call.
  private func catchUp(over gap: FeedGap, _ hold: RealmHold) async throws {
    let (path, replica, types) = (path.description, replica, handler.objectTypes)
    observer.caughtUp(over: gap)
    let (state, position) = try await hold.perform { history -> (UncheckedBox<Prepared>, SaltedServerVersion) in
      let (position, contents) = try CommitFeed(of: path, history).present()
      var state = Prepared(version: position.version, changes: [:])
      guard let replica else { return (UncheckedBox(state), position) }
      let old = try replica.contents()
      state.before = try replica.frozen(types)
      try replica.makeState(contents, at: position.version)
      state.after = try replica.frozen(types)
      state.changes = try .init(from: old, to: contents, previous: state.before, current: state.after)
      return (UncheckedBox(state), position)
    }
    let details = ChangeDetails(
      id: ChangeDetails.ID(path: path, position: position), author: .server, timestamp: OriginTimestamp(0),
      isCatchUp: true, previousRealm: state.value.before, currentRealm: state.value.after, changes: state.value.changes,
      schema: state.value.after?.schema ?? .init(), hold: hold, target: target(position))
    try await call(details, nil)
    handled = position
  }

  /// Makes durable what is handled.
  private func storePosition(_ hold: RealmHold) async throws {
    guard let handled else { return }
    let cursor = cursor
    try await hold.perform { try $0.advanceFeedCursor(cursor, to: handled) }
    self.handled = nil
    lastStored = ContinuousClock.now
  }
}

/// The names of the cursors of handlers.
enum EventCursor {
  static func name(of handler: String) -> String { "events " + handler }
}

/// Carries a value to another thread that is not used on this one any more.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
