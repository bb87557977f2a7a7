import ChangesetOT
import DataModel
import ObjectStore
import Permissions
import RecordStore

/// The delivery of one realm's commits to one handler, in order. One task at a time runs it.
final class RealmDelivery: @unchecked Sendable {
  /// The outcome of a run.
  enum Outcome: Sendable {
    /// Everything is handled, or the realm's files are wanted by others, after whom the watch wakes again.
    case idle
    /// The realm does not exist.
    case gone
    /// The handler, or a file, failed; the same is tried again later.
    ///
    /// - Parameter handled: whether transactions were handled before it in the same run.
    case failed(any Error, handled: Bool)
    /// The realm cannot be had at the time; nothing failed.
    case unavailable(UnavailableRealm)
    /// The notifier stops.
    case stopped
  }

  /// The realms before and after an event, and its changes.
  struct Prepared {
    var version: ServerVersion
    var schema: Schema
    var before: Realm?
    var after: Realm?
    var changes: [String: ChangeSetDetails] = [:]
  }

  /// The difference to the present state that is told after a gap.
  struct Missed {
    var state: Prepared
    var position: SaltedServerVersion
  }

  let handler: any NotificationHandler
  let path: RealmPath
  let identity: HandlerIdentity
  let observer: DeliveryObserver
  let replica: RealmReplica?
  private let origin: any EventOrigin
  private let numberOfRetries: Int
  private let isStopping: @Sendable () -> Bool
  /// Events that are read and not handled.
  var queue: ArraySlice<RealmEvent> = []
  /// The position behind the queue; nil once it is handled.
  var queueEnd: SaltedServerVersion?
  /// The realms before and after the first event of the queue, once the copy has taken it over.
  var prepared: Prepared?
  /// The difference that is to be told before anything else, once it is made.
  var missed: Missed?
  var author: FileIdent?
  /// The newest position that is handled and not stored yet.
  var handled: SaltedServerVersion?
  var lastStored = ContinuousClock.now
  /// The calls in a row that failed with the same transaction.
  private var failures = 0
  /// The transaction with which the last run failed.
  private var failedOn: SaltedServerVersion?
  /// The transaction that is passed over.
  private var skipped: SaltedServerVersion?

  /// Positions are stored once for all events that are handled within this time.
  private static let storing: Duration = .milliseconds(50)

  init(
    _ handler: any NotificationHandler, _ path: RealmPath, of origin: any EventOrigin, as identity: HandlerIdentity,
    replica: RealmReplica?, numberOfRetries: Int, observer: DeliveryObserver, isStopping: @escaping @Sendable () -> Bool
  ) {
    self.handler = handler
    self.path = path
    self.origin = origin
    self.identity = identity
    self.replica = replica
    self.observer = observer
    self.numberOfRetries = numberOfRetries
    self.isStopping = isStopping
  }

  /// Delivers until there is nothing more, the handler fails, or others want the realm's files.
  func run() async -> Outcome {
    let realm: any EventRealm
    do {
      guard let opened = try await origin.open(path, for: identity) else { return .gone }
      realm = opened
      try await prepare(realm)
    } catch let error as UnavailableRealm {
      return .unavailable(error)
    } catch {
      return .failed(error, handled: false)
    }
    var hasHandled = false
    do {
      while !isStopping() {
        if realm.isWanted { return try await pausing(realm) }
        guard try await fill(realm) else { return try await pausing(realm) }
        if let missed {
          try await tell(missed, realm)
          hasHandled = true
        }
        while let event = queue.first, !isStopping(), !realm.isWanted {
          try await tell(event, realm)
          hasHandled = true
          if ContinuousClock.now - lastStored > Self.storing { try await storePosition(realm) }
        }
        if queue.isEmpty, let end = queueEnd {
          queueEnd = nil
          handled = end
          replica?.pass(to: end)
        }
      }
      try await storePosition(realm)
      return .stopped
    } catch let error as UnavailableRealm {
      // Positions and effects of this process are on the server when it has the realm again.
      forget()
      return .unavailable(error)
    } catch {
      failedOn = missed?.position ?? queue.first?.position
      // Events that were handled before are not told again.
      do { try await storePosition(realm) } catch { forget() }
      if let replica, replica.position == nil { forget() }
      return .failed(error, handled: hasHandled)
    }
  }

  private func pausing(_ realm: any EventRealm) async throws -> Outcome {
    try await storePosition(realm)
    return .idle
  }

  private func tell(_ event: RealmEvent, _ realm: any EventRealm) async throws {
    let isSkipped = event.position == skipped
    if !isSkipped { try await handle(event, realm) }
    queue.removeFirst()
    passed(event.position)
    // A copy that did not take the transaction over is made anew after it.
    if isSkipped, prepared == nil, let replica {
      replica.discard()
      (queue, queueEnd) = ([], nil)
    }
    prepared = nil
  }

  private func tell(_ missed: Missed, _ realm: any EventRealm) async throws {
    if missed.position != skipped { try await handle(missed, realm) }
    self.missed = nil
    passed(missed.position)
  }

  private func passed(_ position: SaltedServerVersion) {
    (handled, failures, failedOn, skipped) = (position, 0, nil, nil)
  }

  /// Passes over the transaction with which the last run failed, if it failed with one. Called between runs.
  func skip() { skipped = failedOn }

  /// Lets go of what the next run can read again. Called between runs.
  func rest() { if missed == nil { forget() } }

  /// Lets go of everything in memory and of the copy: it is read again, from the stored position.
  func forget() {
    queue = []
    (queueEnd, handled, prepared, missed) = (nil, nil, nil, nil)
    replica?.discard()
  }

  /// Calls the handler. What it wrote together with its position is done, also when it fails afterwards.
  func call(_ details: ChangeDetails, _ timestamp: OriginTimestamp?) async throws {
    defer { if details.isLent.load(ordering: .acquiring) { details.realm.noteCommit() } }
    do { try await observer.measuring(timestamp) { try await handler.handleChange(details) } } catch {
      guard !details.isWritten.load(ordering: .acquiring) else {
        return observer.failedAfterWriting(error, details.id)
      }
      if error is UnavailableRealm { throw error }
      failures += 1
      guard failures > numberOfRetries, try await handler.giveUp(details, after: error) else { throw error }
    }
  }

  /// The identity of the handler towards the realm.
  func target(_ position: SaltedServerVersion) -> ChangeDetails.WriteTarget {
    ChangeDetails.WriteTarget(
      author: author ?? .none, position: position, objectTypes: handler.objectTypes)
  }
}
