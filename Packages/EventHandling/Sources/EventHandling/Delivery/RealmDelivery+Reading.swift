import ChangesetOT
import RecordStore

extension RealmDelivery {
  /// Makes the handler known to the realm, and checks that the realm is still that of the events in memory.
  func prepare(_ realm: any EventRealm) async throws {
    let first = missed?.position ?? queue.first?.position ?? handled
    let (author, isSame) = try await realm.begin(knowing: first)
    if !isSame { forget() }
    if let known = self.author, known != author { forget() }
    self.author = author
  }

  /// Reads events, or makes the difference after a gap, unless there are some.
  ///
  /// - Returns: whether there is something to tell.
  func fill(_ realm: any EventRealm) async throws -> Bool {
    guard queue.isEmpty, missed == nil else { return true }
    // The reader goes on from the stored position.
    try await storePosition(realm)
    switch try await realm.next(replica) {
    case .none: return false
    case .commits(let events, let end):
      queue = events[...]
      queueEnd = end
    case .gap(let gap):
      observer.caughtUp(over: gap)
      missed = try await difference(realm)
    }
    return true
  }

  /// Makes durable what is handled.
  func storePosition(_ realm: any EventRealm) async throws {
    guard let handled else { return }
    try await realm.advance(to: handled)
    self.handled = nil
    lastStored = ContinuousClock.now
  }
}
