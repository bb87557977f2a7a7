public import ObjectServer
import Permissions
import Synchronization
import Telemetry

/// A directory of users in memory: for tests and simulations, and the model that the durable directory is compared with.
/// From any thread; no function throws.
public final class MemoryDirectory: Directory {
  struct IdentityKey: Hashable, Comparable {
    var provider: String
    var name: String

    static func < (left: IdentityKey, right: IdentityKey) -> Bool {
      (left.provider, left.name) < (right.provider, right.name)
    }
  }
  struct GrantKey: Hashable {
    var path: RealmPath
    var grantee: Grantee
  }
  struct Content {
    var users: [UserId: UserRecord] = [:]
    var identities: [IdentityKey: IdentityRecord] = [:]
    var logins: [String: LoginRecord] = [:]
    var realms: Set<RealmPath> = []
    var usedPaths: Set<RealmPath> = []
    var grants: [GrantKey: Grant] = [:]
    var withdrawals: [GrantKey: WallTime] = [:]
    var offers: [String: OfferRecord] = [:]
    var keys: [String: APIKeyRecord] = [:]
    var renamed: [RealmPath: RealmPath] = [:]
  }
  let content = Mutex(Content())

  /// An empty directory.
  public init() {}

  /// Flushes and closes; no function may be called afterwards.
  public func close() {}
}
