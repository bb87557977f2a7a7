public import Foundation
public import ObjectStore
import RecordStore

/// One subscription of a realm: a class, a query, and perhaps a name.
///
///     let subscription = realm.objects(Dog.self).filter("age < 3").subscribe(named: "young dogs")
///     token = subscription.observe(\.state, options: .initial) { state in
///       if state == .complete { … }
///     }
///
/// Of ``Realm/subscriptions``, it is an entry of a set, which changes within `update`. What `subscribe(named:)` and
/// `realm.subscription(named:)` give belongs to the thread, queue or actor of its realm.
public struct SyncSubscription {
  let handle: SubscriptionHandle
  /// The set that the subscription is an entry of; nil for those of query-based sync.
  let editor: SubscriptionEditor?
  let realm: Realm?

  init(_ record: SubscriptionRecord, in editor: SubscriptionEditor) {
    handle = SubscriptionHandle(record, in: editor.store)
    self.editor = editor
    realm = nil
  }

  init(_ handle: SubscriptionHandle, realm: Realm) {
    self.handle = handle
    editor = nil
    self.realm = realm
  }

  /// The name; nil for a subscription that is known by its query.
  public var name: String? { handle.record.name }
  /// The class of the objects, by its stored name.
  public var className: String { handle.record.className }
  /// The query in canonical text; nil while it is not stored.
  public var query: String? { handle.isStored ? handle.record.query : nil }
  /// The time at which it was made; nil while it is not stored.
  public var createdAt: Date? { date(handle.record.createdAt) }
  /// The time at which it was last updated or asked for; nil while it is not stored.
  public var updatedAt: Date? { date(handle.record.updatedAt) }
  /// The time after which it is removed with the next change of subscriptions; nil for never.
  public var expiresAt: Date? { handle.record.expiresAt.flatMap(date) }
  /// The seconds for which it is kept without being asked for; nil for ever.
  public var timeToLive: TimeInterval? { handle.record.timeToLive.map { Double($0) / 1_000 } }

  private func date(_ milliseconds: Int64) -> Date? {
    handle.isStored ? Date(timeIntervalSince1970: Double(milliseconds) / 1_000) : nil
  }

  /// The present state.
  public var state: SyncSubscriptionState { handle.state }

  /// Whether a stored subscription is this one.
  func isThis(_ record: SubscriptionRecord) -> Bool { handle.isThis(record) }

  // MARK: Query-based sync

  /// Calls `block` where the realm is used, with each new state; with option `initial` also at once with the present one.
  /// Only `\.state` may be observed.
  ///
  /// - Returns: the token that keeps the observation.
  public func observe(
    _ keyPath: KeyPath<SyncSubscription, SyncSubscriptionState>, options: NSKeyValueObservingOptions = [],
    _ block: @escaping (SyncSubscriptionState) -> Void
  ) -> NotificationToken {
    guard let realm, keyPath == \SyncSubscription.state else {
      preconditionFailure(
        "Only the state of a subscription from `subscribe` or `realm.subscriptions()` can be observed.")
    }
    var last = handle.state
    if options.contains(.initial) { block(last) }
    let handle = handle
    return realm.observe { _, _ in
      let state = handle.state
      guard state != last else { return }
      last = state
      block(state)
    }
  }

  /// Removes the subscription soon. The server then removes from this device what no other subscription asks for.
  public func unsubscribe() { handle.removeSoon() }

  // MARK: Sets

  /// Gives the subscription another query, within an update of its set.
  public func updateQuery<T: Object>(toType type: T.Type, where predicateFormat: String, _ args: Any...) {
    update(Result { try SubscriptionQuery(type, where: predicateFormat, args) })
  }

  /// Gives the subscription another query, within an update of its set; without one all objects of the class.
  public func updateQuery<T: Object>(toType type: T.Type, _ query: ((Query<T>) -> Query<Bool>)? = nil) {
    update(.success(query.map { SubscriptionQuery(type, $0) } ?? SubscriptionQuery(type)))
  }

  private func update(_ query: Result<SubscriptionQuery, any Error>) {
    guard let editor else {
      preconditionFailure("The subscription is no entry of a set; subscribe with `update: true`.")
    }
    editor.change { draft in
      let new = try query.get().checked(in: editor.store.file)
      guard let index = draft.firstIndex(where: { isThis($0) }) else { return }
      draft[index].className = new.className
      draft[index].query = new.query
      draft[index].hasClauses = new.hasClauses
      draft[index].updatedAt = 0
    }
  }
}

/// The options of ``SyncSubscription/observe(_:options:_:)``, which Foundation has on other systems only.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Options by their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Report the present value at once.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Without effect: the new value is always reported.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// Without effect.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// Without effect.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
