public import ObjectStore
import RecordStore

extension Realm {
  /// The newest set of subscriptions. The program stops when the realm is not synced by queries.
  ///
  /// `realm.subscriptions.update { … }` changes the set; `realm.subscriptions()` gives the subscriptions one by one, as
  /// query-based sync has them.
  public var subscriptions: SyncSubscriptionSet {
    let store = SubscriptionStore(file)
    return SyncSubscriptionSet(store, latestSubscriptions(store), configuration: configuration)
  }

  /// The subscription with a name; nil when there is none, and while it is not stored.
  public func subscription(named name: String) -> SyncSubscription? {
    let store = SubscriptionStore(file)
    return latestSubscriptions(store).subscriptions.first { $0.name == name }.map {
      SyncSubscription(SubscriptionHandle($0, in: store), realm: self)
    }
  }

  func latestSubscriptions(_ store: SubscriptionStore) -> SubscriptionSetRecord {
    guard let sets = try? store.sets() else {
      preconditionFailure("This Realm was not configured with flexible sync")
    }
    return sets.latest
  }
}
