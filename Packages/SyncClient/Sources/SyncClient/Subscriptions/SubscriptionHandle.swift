import Dispatch
import RecordStore
import Synchronization

/// One subscription on its way into a file, or in it. Safe from any thread.
final class SubscriptionHandle: Sendable {
  private struct State {
    var record: SubscriptionRecord
    var isStored: Bool
    var error: (any Error)?
  }

  let store: SubscriptionStore
  private let contents: Mutex<State>

  /// A subscription that the file holds, or that is yet to be stored.
  init(_ record: SubscriptionRecord, in store: SubscriptionStore, isStored: Bool = true) {
    self.store = store
    contents = Mutex(State(record: record, isStored: isStored))
  }

  var record: SubscriptionRecord { contents.withLock { $0.record } }
  var isStored: Bool { contents.withLock { $0.isStored } }

  /// Whether a stored subscription is this one.
  func isThis(_ other: SubscriptionRecord) -> Bool {
    let record = record
    return record.id != 0 ? record.id == other.id : record.name == other.name && record.hasSameQuery(as: other)
  }

  func fail(_ error: any Error) { contents.withLock { $0.error = error } }

  /// The state by the sets of the file. A subscription is complete when the set in force has it, whatever follows; it is
  /// refused when only refused sets have it.
  var state: SyncSubscriptionState {
    let (isStored, error) = contents.withLock { ($0.isStored, $0.error) }
    if let error { return .error(error) }
    guard isStored else { return .creating }
    guard let sets = try? store.sets() else { return .invalidated }
    let record = record
    func holds(_ set: SubscriptionSetRecord) -> Bool {
      set.subscriptions.contains { isThis($0) && $0.hasSameQuery(as: record) }
    }
    let active = sets.active
    let isWanted = sets.sets.last { $0.state != .error }.map(holds) ?? false
    if isWanted { return active.state == .complete && holds(active) ? .complete : .pending }
    if let refused = sets.sets.last(where: { $0.state == .error && holds($0) }) {
      let refusal = SyncError(refusalOf: refused)
      fail(refusal)
      return .error(refusal)
    }
    return .invalidated
  }

  /// Stores the subscription behind the calls before it, in the queue of subscriptions.
  ///
  /// - Parameter updates: whether one of the same name gets the query of this one.
  func storeSoon(updates: Bool, completion: @escaping @Sendable () -> Void) {
    Self.queue.async { [self] in
      do { try storeNow(updates: updates) } catch { fail(error) }
      completion()
    }
  }

  private func storeNow(updates: Bool) throws {
    let wanted = record
    try store.updateServable { subscriptions in
      guard let index = subscriptions.firstIndex(where: { Self.isSame($0, wanted) }) else {
        return subscriptions.append(wanted)
      }
      if !subscriptions[index].hasSameQuery(as: wanted) {
        guard updates, subscriptions[index].className == wanted.className else {
          throw RecordStoreError(nameTaken: wanted.name ?? "")
        }
        subscriptions[index].query = wanted.query
        subscriptions[index].hasClauses = wanted.hasClauses
      }
      subscriptions[index].updatedAt = 0
      subscriptions[index].timeToLive = wanted.timeToLive ?? (updates ? nil : subscriptions[index].timeToLive)
    }
    let stored = try store.sets()?.latest.subscriptions.first { Self.isSame($0, wanted) }
    contents.withLock { state in
      if let stored { state.record = stored }
      state.isStored = true
    }
  }

  private static func isSame(_ left: SubscriptionRecord, _ right: SubscriptionRecord) -> Bool {
    right.name == nil ? left.name == nil && left.hasSameQuery(as: right) : left.name == right.name
  }

  /// Removes the subscription, behind the calls before it.
  func removeSoon() {
    Self.queue.async { [self] in
      do { try store.updateServable { $0.removeAll { self.isThis($0) } } } catch { fail(error) }
    }
  }

  /// The queue in which subscriptions are stored, in the order of the calls.
  private static let queue = DispatchQueue(label: "realm subscriptions")
}
