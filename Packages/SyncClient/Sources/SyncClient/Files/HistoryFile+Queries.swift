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

  /// Gives the set in force to an empty file, which names it in its first IDENT: a set that was accepted once is served again as far
  /// as it fits. The sets behind it are sent after the reset.
  func handSubscriptions(to fresh: RealmFile) throws {
    guard let sets = try subscriptions.sets() else { return }
    try SubscriptionStore(fresh).adopt(sets.active)
  }
}
