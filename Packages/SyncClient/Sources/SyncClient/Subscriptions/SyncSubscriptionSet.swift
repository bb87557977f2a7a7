import Foundation
public import ObjectStore
import RecordStore

/// The subscriptions of a realm that is synced by queries: the newest set when ``Realm/subscriptions`` was asked for.
///
///     let subscriptions = realm.subscriptions
///     try await subscriptions.update {
///       subscriptions.append(QuerySubscription<Dog>(name: "puppies") { $0.age < 1 })
///     }
///     subscriptions.state                // complete
///
/// Changes are stored in the file with the next version, also offline, and sent when there is a connection. Calling the
/// value, `realm.subscriptions()`, gives the subscriptions as query-based sync has them. Safe from any thread.
public struct SyncSubscriptionSet: Sequence, Sendable {
  let editor: SubscriptionEditor
  /// The configuration of the realm; nil for initial subscriptions.
  let configuration: Realm.Configuration?

  init(_ store: SubscriptionStore, _ set: SubscriptionSetRecord, configuration: Realm.Configuration? = nil) {
    editor = SubscriptionEditor(store, set)
    self.configuration = configuration
  }

  /// The number of subscriptions.
  public var count: Int { editor.shown.count }
  /// Whether there is none.
  public var isEmpty: Bool { editor.shown.isEmpty }
  /// The number of the set; grows with every change.
  public var version: UInt64 { editor.set.version.rawValue }

  /// The present state of the set that is shown; ``SyncSubscriptionState/superseded`` when a later one is in force.
  public var state: SyncSubscriptionState {
    let version = editor.set.version
    guard let sets = try? editor.store.sets() else { return .invalidated }
    return SyncSubscriptionState(sets[version])
  }

  /// The reason of state ``SyncSubscriptionState/error(_:)``; nil in other states.
  public var error: (any Error)? { if case .error(let error) = state { error } else { nil } }

  // MARK: Elements

  /// The subscription at a position; nil outside.
  public subscript(position: Int) -> SyncSubscription? {
    let shown = editor.shown
    return shown.indices.contains(position) ? subscription(shown[position]) : nil
  }

  /// The first subscription; nil when there is none.
  public var first: SyncSubscription? { self[0] }
  /// The last subscription; nil when there is none.
  public var last: SyncSubscription? { self[count - 1] }

  /// The subscription with a name; nil when there is none.
  public func first(named name: String) -> SyncSubscription? {
    editor.shown.first { $0.name == name }.map(subscription)
  }

  /// The first subscription with a query; nil when there is none, and for a text that is no query.
  public func first<T: Object>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) -> SyncSubscription?
  {
    first(Result { try SubscriptionQuery(type, where: predicateFormat, args) })
  }

  /// The first subscription with a query; nil when there is none.
  public func first<T: Object>(
    ofType type: T.Type, where query: (Query<T>) -> Query<Bool>
  ) -> SyncSubscription? {
    first(.success(SubscriptionQuery(type, query)))
  }

  private func first(_ query: Result<SubscriptionQuery, any Error>) -> SyncSubscription? {
    guard let wanted = try? query.get().checked(in: editor.store.file) else { return nil }
    return editor.shown.first { $0.hasSameQuery(as: wanted) }.map(subscription)
  }

  private func subscription(_ record: SubscriptionRecord) -> SyncSubscription { SyncSubscription(record, in: editor) }

  /// An iterator over the subscriptions as they are now.
  public func makeIterator() -> IndexingIterator<[SyncSubscription]> {
    editor.shown.map(subscription).makeIterator()
  }
}
