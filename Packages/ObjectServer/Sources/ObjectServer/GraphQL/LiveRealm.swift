import Concurrency
import GraphQL
import Permissions
import RealmGraphQL
import RecordStore

/// The subscriptions to one realm, and whom their results go to.
// @unchecked Sendable: its variables are accessed on the loop only, but `queries`, which is used in the realm's queue.
final class LiveRealm: @unchecked Sendable {
  /// The socket and the operation of a subscription.
  struct Listener {
    weak var socket: GraphQLSocket?
    var operation: String
  }

  /// Subscriptions to a realm that is opened whole, or by queries: their schemas differ.
  let isQueryBased: Bool
  var listeners: [UInt64: Listener] = [:]
  /// Subscriptions that ended while the files were closed, or could not be read: removed when the realm is used next. One may be
  /// here that is removed already.
  var gone: [UInt64] = []
  /// Told of the realm's commits.
  var watch: RealmWatch?
  /// Whether an update is asked for that has not begun.
  var isUpdateAsked = false
  /// Nil before the first subscription, and after the files were closed.
  private var queries: LiveQueries?

  init(isQueryBased: Bool) { self.isQueryBased = isQueryBased }

  /// The subscriptions to remove before the next use of ``queries(_:_:without:)``.
  func takeGone() -> [UInt64] {
    defer { gone = [] }
    return gone
  }

  /// The queries, made for the open files, without subscriptions that are gone. In the realm's queue.
  func queries(_ caches: GraphQLCaches, _ realms: GraphQLRealms, without gone: [UInt64]) -> LiveQueries {
    let cache = caches.cache(realms.settings, isQueryBased: isQueryBased)
    if let queries {
      queries.cache = cache
      for id in gone { queries.remove(id) }
      return queries
    }
    let made = LiveQueries(cache)
    made.budget = { [weak realms] in realms?.budget() ?? .unlimited }
    queries = made
    return made
  }

  /// Lets go of the files. In the realm's queue.
  func suspend() { queries?.suspend() }
  /// Ends a subscription. In the realm's queue.
  func remove(_ id: UInt64) { queries?.remove(id) }
}
