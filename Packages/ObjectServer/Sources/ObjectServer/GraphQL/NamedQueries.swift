import GraphQL
import Permissions
import RealmGraphQL
import Synchronization

/// The named queries of users of realms that are opened by queries, while the server runs.
final class NamedQueries: Sendable {
  /// The most of one user of one realm.
  static let most = 100

  private struct Key: Hashable {
    var user: UserId
    var path: RealmPath
  }

  private let known = Mutex<[Key: [String: QuerySubscription]]>([:])

  /// Those of one user of one realm.
  func queries(of user: UserId, at path: RealmPath) -> any QuerySubscriptions {
    Own(owner: self, key: Key(user: user, path: path))
  }

  private struct Own: QuerySubscriptions {
    let owner: NamedQueries
    let key: Key

    func all() -> [QuerySubscription] {
      owner.known.withLock { ($0[key] ?? [:]).values.sorted { $0.name < $1.name } }
    }

    func add(_ subscription: QuerySubscription) throws {
      try owner.known.withLock { known in
        var own = known[key] ?? [:]
        guard own[subscription.name] != nil || own.count < NamedQueries.most else {
          throw GraphQLError(
            "There are \(NamedQueries.most) subscriptions already: delete one.", code: "LIMIT_EXCEEDED",
            extensions: [.init("bound", .string("subscriptions"))])
        }
        own[subscription.name] = subscription
        known[key] = own
      }
    }

    func remove(_ name: String) -> Bool { owner.known.withLock { $0[key]?.removeValue(forKey: name) != nil } }
  }
}
