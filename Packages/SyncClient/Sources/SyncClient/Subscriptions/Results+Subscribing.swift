public import Foundation
public import ObjectStore
import RecordStore

/// The waits of ``Results/subscribe(name:waitForSync:timeout:_isolation:)``.
public enum WaitForSyncMode: Sendable {
  /// Wait when the subscription is new or its query has changed.
  case onCreation
  /// Wait also when the subscription was there.
  case always
  /// Do not wait.
  case never
}

extension Results where Element: Object {
  /// Subscribes to the objects of the results, as query-based sync does it: stores the subscription soon, whether or not
  /// there is a connection.
  ///
  /// An equal query under the same name, or without a name, is the same subscription. Another query under a name that is
  /// taken ends in state `error`, unless `update` is true and the class is the same.
  ///
  /// - Parameters:
  ///   - subscriptionName: by which the subscription is found again.
  ///   - limit: the greatest number of objects, in the order of the results.
  ///   - update: whether a subscription of that name gets this query.
  ///   - timeToLive: the seconds for which it is kept without being asked for again; nil for ever.
  ///   - linking: key paths that end in a `LinkingObjects` property, whose objects come along.
  /// - Precondition: the realm is synced by queries.
  @discardableResult
  public func subscribe(
    named subscriptionName: String? = nil, limit: Int? = nil, update: Bool = false, timeToLive: TimeInterval? = nil,
    includingLinkingObjects linking: [String] = []
  ) -> SyncSubscription {
    guard let realm else { preconditionFailure("Only results of a realm can be subscribed to.") }
    let store = SubscriptionStore(realm.file)
    let latest = realm.latestSubscriptions(store)
    var record = SubscriptionRecord(name: subscriptionName, className: Element.className(), query: "")
    do {
      record = try SubscriptionQuery(self, limit: limit, includingLinkingObjects: linking).checked(in: realm.file)
      record.name = subscriptionName
      record.timeToLive = timeToLive.map { Int64(clamping: Int($0.clamped * 1_000)) }
      if let name = subscriptionName, let present = latest.subscriptions.first(where: { $0.name == name }),
        !present.hasSameQuery(as: record), !update || present.className != record.className
      {
        throw RecordStoreError(nameTaken: name)
      }
    } catch {
      let refused = SubscriptionHandle(record, in: store, isStored: false)
      refused.fail(error)
      return SyncSubscription(refused, realm: realm)
    }
    let handle = SubscriptionHandle(record, in: store, isStored: false)
    handle.storeSoon(updates: update) {}
    return SyncSubscription(handle, realm: realm)
  }

  /// Subscribes to the objects of the results, and waits for them.
  ///
  /// - Parameters:
  ///   - name: by which the subscription is found again; a subscription of that name gets this query.
  ///   - mode: when to wait for the server.
  ///   - timeout: the longest wait in seconds; nil for any.
  /// - Returns: the results.
  /// - Throws: ``Realm/Error`` with code `subscriptionFailed` and the position of a mistake; ``SyncError`` when the server
  ///   refuses; `POSIXError` with code `ETIMEDOUT`; `CancellationError`.
  @discardableResult
  public func subscribe(
    name: String? = nil, waitForSync mode: WaitForSyncMode = .onCreation, timeout: TimeInterval? = nil,
    _isolation: isolated (any Actor)? = #isolation
  ) async throws -> Results<Element> {
    guard let realm else { preconditionFailure("Only results of a realm can be subscribed to.") }
    let store = SubscriptionStore(realm.file)
    var wanted = try SubscriptionQuery(self).checked(in: realm.file)
    wanted.name = name
    let new = wanted
    let made = try store.update { subscriptions in
      if let name, let index = subscriptions.firstIndex(where: { $0.name == name }) {
        guard !subscriptions[index].hasSameQuery(as: new) else { return }
        subscriptions[index].className = new.className
        subscriptions[index].query = new.query
        subscriptions[index].hasClauses = new.hasClauses
        subscriptions[index].updatedAt = 0
      } else if !subscriptions.contains(where: { $0.name == name && $0.hasSameQuery(as: new) }) {
        subscriptions.append(new)
      }
    }
    guard mode == .always || (mode == .onCreation && made != nil), let version = try store.sets()?.latest.version else {
      return self
    }
    try await SubscriptionWait(store, version).run(timeout: timeout)
    realm.refresh()
    return self
  }

  /// Removes the subscriptions without a name that have the query of the results.
  public func unsubscribe() {
    guard let realm, let query = try? SubscriptionQuery(self).checked(in: realm.file) else { return }
    SubscriptionHandle(query, in: SubscriptionStore(realm.file)).removeSoon()
  }

  /// Whether the realm holds everything that the server has of the results: a subscription to their query, or to the whole
  /// class, is complete. True for realms that are synced whole or not at all.
  public var isComplete: Bool {
    guard let realm, let sets = try? SubscriptionStore(realm.file).sets() else { return true }
    guard sets.active.state == .complete, let own = try? SubscriptionQuery(self).checked(in: realm.file) else {
      return false
    }
    return sets.active.subscriptions.contains { subscription in
      subscription.className == own.className
        && (subscription.query == own.query || subscription.query == "TRUEPREDICATE")
    }
  }
}

extension TimeInterval {
  /// Seconds from none to a hundred thousand years.
  fileprivate var clamped: TimeInterval { isNaN ? 0 : Swift.min(Swift.max(self, 0), 3e12) }
}
