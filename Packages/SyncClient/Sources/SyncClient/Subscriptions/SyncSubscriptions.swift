import Foundation
import ObjectStore
import RecordStore

/// The subscriptions of a realm that is synced by queries, in the order of their creation, as they were when
/// `realm.subscriptions()` was called.
///
///     realm.subscriptions().filter("name LIKE 'screenA.*'").forEach { $0.unsubscribe() }
public struct SyncSubscriptions: RandomAccessCollection {
  private let elements: [SyncSubscription]

  init(_ elements: [SyncSubscription]) { self.elements = elements }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of subscriptions.
  public var endIndex: Int { elements.count }
  /// A subscription by its position. A position outside stops the program.
  public subscript(position: Int) -> SyncSubscription { elements[position] }

  /// The subscriptions for which a text holds; it may name `name`, `query`, `className`, `createdAt`, `updatedAt`,
  /// `expiresAt` and `timeToLive`. Invalid text stops the program.
  ///
  /// - Complexity: O(*n*) in the subscriptions.
  public func filter(_ predicateFormat: String, _ args: Any...) -> SyncSubscriptions {
    let predicate = RealmPredicate(format: predicateFormat, argumentArray: args)
    return SyncSubscriptions(
      elements.filter { subscription in
        let rows = List<SubscriptionRow>()
        rows.append(SubscriptionRow(subscription))
        return rows.index(matching: predicate) != nil
      })
  }
}

/// A subscription as an object outside of any realm, for filters.
final class SubscriptionRow: Object {
  @Persisted var name: String?
  @Persisted var query: String?
  @Persisted var className = ""
  @Persisted var createdAt: Date?
  @Persisted var updatedAt: Date?
  @Persisted var expiresAt: Date?
  @Persisted var timeToLive: Double?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  convenience init(_ subscription: SyncSubscription) {
    self.init()
    name = subscription.name
    query = subscription.query
    className = subscription.className
    createdAt = subscription.createdAt
    updatedAt = subscription.updatedAt
    expiresAt = subscription.expiresAt
    timeToLive = subscription.timeToLive
  }
}

extension SyncSubscriptionSet {
  /// The subscriptions one by one, for the calling thread, queue or actor: `realm.subscriptions()`. Without those that are
  /// still being stored.
  ///
  /// - Precondition: the set comes from ``Realm/subscriptions``.
  public func callAsFunction() -> SyncSubscriptions {
    guard let configuration, let realm = try? Realm(configuration: configuration) else { return SyncSubscriptions([]) }
    return SyncSubscriptions(
      editor.shown.map { SyncSubscription(SubscriptionHandle($0, in: editor.store), realm: realm) })
  }
}
