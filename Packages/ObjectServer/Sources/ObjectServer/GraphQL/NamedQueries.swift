import GraphQL
import Permissions
import RealmGraphQL
import Synchronization

/// The named queries of users of realms that are opened by queries, while the server runs.
///
/// Bounded in number per user and realm, and in bytes per user and in all. Safe from any thread.
final class NamedQueries: Sendable {
  /// The most of one user of one realm.
  static let most = 100
  /// The most bytes of names and texts of one user.
  static let mostBytesOfUser = 1 << 20
  /// The most bytes of names and texts of all users.
  static let mostBytes = 64 << 20

  private struct Key: Hashable {
    var user: UserId
    var path: RealmPath
  }

  private struct State {
    var queries: [Key: [String: QuerySubscription]] = [:]
    var bytes: [UserId: Int] = [:]
    var total = 0

    /// Replaces the query of a name.
    mutating func put(_ query: QuerySubscription?, named name: String, _ key: Key) -> Bool {
      let old = queries[key]?[name]
      queries[key, default: [:]][name] = query
      if queries[key]?.isEmpty == true { queries[key] = nil }
      let growth = (query?.byteCount ?? 0) - (old?.byteCount ?? 0)
      total += growth
      bytes[key.user, default: 0] += growth
      if bytes[key.user] == 0 { bytes[key.user] = nil }
      return old != nil
    }
  }

  private let state = Mutex(State())

  /// Those of one user of one realm.
  func queries(of user: UserId, at path: RealmPath) -> any QuerySubscriptions {
    Own(owner: self, key: Key(user: user, path: path))
  }

  /// Forgets those of a realm that is moved or deleted.
  func forget(_ path: RealmPath) {
    state.withLock { state in
      for (key, queries) in state.queries where key.path == path {
        for name in queries.keys { _ = state.put(nil, named: name, key) }
      }
    }
  }

  private struct Own: QuerySubscriptions {
    let owner: NamedQueries
    let key: Key

    func all() -> [QuerySubscription] {
      owner.state.withLock { ($0.queries[key] ?? [:]).values.sorted { $0.name < $1.name } }
    }

    func add(_ subscription: QuerySubscription) throws {
      try owner.state.withLock { state in
        let own = state.queries[key] ?? [:]
        guard own[subscription.name] != nil || own.count < NamedQueries.most else {
          throw Self.refusal("There are \(NamedQueries.most) subscriptions already: delete one.", "subscriptions")
        }
        let growth = subscription.byteCount - (own[subscription.name]?.byteCount ?? 0)
        guard state.bytes[key.user, default: 0] + growth <= NamedQueries.mostBytesOfUser,
          state.total + growth <= NamedQueries.mostBytes
        else { throw Self.refusal("The subscriptions hold too many bytes: delete one.", "subscriptionBytes") }
        _ = state.put(subscription, named: subscription.name, key)
      }
    }

    func remove(_ name: String) -> Bool { owner.state.withLock { $0.put(nil, named: name, key) } }

    private static func refusal(_ message: String, _ bound: String) -> GraphQLError {
      GraphQLError(message, code: "LIMIT_EXCEEDED", extensions: [.init("bound", .string(bound))])
    }
  }
}

extension QuerySubscription {
  fileprivate var byteCount: Int { name.utf8.count + objectType.utf8.count + query.utf8.count + 64 }
}
