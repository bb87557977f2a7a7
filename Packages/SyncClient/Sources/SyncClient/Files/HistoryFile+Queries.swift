import ChangesetOT
import RecordStore

extension HistoryFile: QueriedFile {
  private var subscriptions: SubscriptionStore { SubscriptionStore(realm) }

  func queries() throws -> FileQueries? {
    try subscriptions.sets().map { sets in
      FileQueries(
        active: sets.active.querySet,
        pending: sets.pending.map { FileQueries.Pending(query: $0.querySet, snapshot: $0.snapshot) },
        refused: sets.sets.filter { $0.state == .error }.map {
          FileQueries.Refusal(version: $0.version, message: $0.message)
        })
    }
  }

  func complete(_ version: QueryVersion) throws { try subscriptions.complete(version) }

  func refuse(_ version: QueryVersion, message: String) throws {
    try subscriptions.refuse(version, message: message)
  }

  func discardBootstrap() throws { try ClientHistory(realm).discardBootstrap() }

  /// Gives the subscriptions of the file to an empty one, as its first set.
  func handSubscriptions(to fresh: RealmFile) throws {
    guard let sets = try subscriptions.sets() else { return }
    let store = SubscriptionStore(fresh)
    try store.prepare()
    // A set that the server refused would be refused again.
    let kept = sets.sets.last { $0.state != .error }?.subscriptions ?? []
    try store.update { $0 = kept }
  }
}
