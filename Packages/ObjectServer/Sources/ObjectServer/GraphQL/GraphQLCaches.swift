import RealmGraphQL
import RecordStore
import Synchronization

/// The GraphQL schemas of one realm while its files are open, and the history that they are made from.
public final class GraphQLCaches: Sendable {
  /// The realm's history.
  public let history: ServerHistory
  private let caches = Mutex<[Bool: RealmGraphQLCache]>([:])

  init(_ history: ServerHistory) { self.history = history }

  func cache(_ settings: GraphQLSettings, isQueryBased: Bool) -> RealmGraphQLCache {
    caches.withLock { caches in
      if let known = caches[isQueryBased] { return known }
      var options = RealmGraphQLOptions()
      options.includesCount = settings.includesCount
      options.isQueryBased = isQueryBased
      let made = RealmGraphQLCache(options: options, limits: settings.limits)
      caches[isQueryBased] = made
      return made
    }
  }

  func clear() { caches.withLock { $0 = [:] } }
}
