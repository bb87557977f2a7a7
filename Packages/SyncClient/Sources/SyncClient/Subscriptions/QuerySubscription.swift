public import ObjectStore
import RecordStore

/// A subscription that is to be put into a set: a class, a condition, and a name if it is to have one.
///
///     subscriptions.append(QuerySubscription<Dog>(name: "puppies") { $0.age < 1 })
public struct QuerySubscription<T: Object>: Sendable {
  let name: String?
  /// The query, or why there is none.
  let query: Result<SubscriptionQuery, any Error>

  /// All objects of the class.
  public init(name: String? = nil) {
    self.name = name
    query = .success(SubscriptionQuery(T.self))
  }

  /// The objects for which a condition holds.
  public init(name: String? = nil, query: (Query<T>) -> Query<Bool>) {
    self.name = name
    self.query = .success(SubscriptionQuery(T.self, query))
  }

  /// The objects for which a text holds. A mistake in it is thrown by the update that appends the subscription.
  public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
    self.name = name
    query = Result { try SubscriptionQuery(T.self, where: predicateFormat, args) }
  }

  /// The subscription as it is stored.
  func record(in file: RealmFile) throws -> SubscriptionRecord {
    var record = try query.get().checked(in: file)
    record.name = name
    return record
  }
}
