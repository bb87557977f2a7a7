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
    var removed: [UserId: Set<IdentityKey>] = [:]
    var renamed: [RealmPath: RealmPath] = [:]
    var changes: [DirectoryChange] = []
  }
  let content = Mutex(Content())
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)
  private let afterLookup = Mutex<(@Sendable () -> Void)?>(nil)

  /// Nobody else changes it.
  public var isShared: Bool { false }

  /// An empty directory.
  public init() {}

  /// Chooses the function that is called after each change, on any thread; nil for none.
  public func whenChanged(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Tells whoever follows the feed that the keys of tokens were rotated.
  public func tokenKeysChanged() throws(ServerError) { change { $0.changes.append(.tokenKeys) } }

  /// Has `work` run once, when a user or the facts of a realm were looked up and before the answer is used: for what another
  /// process does just then.
  public func afterNextLookup(_ work: @escaping @Sendable () -> Void) { afterLookup.withLock { $0 = work } }

  /// Answers `value`, then whoever asked for it may find that it is not true any more.
  func lookedUp<Value>(_ value: Value) -> Value {
    let work = afterLookup.withLock { work in
      defer { work = nil }
      return work
    }
    work?()
    return value
  }

  /// The changes after a position that sessions may depend on, oldest first.
  public func changes(after position: Int64?) throws(ServerError) -> DirectoryChanges {
    content.withLock { content in
      let last = Int64(content.changes.count)
      guard let position, position != last else { return DirectoryChanges(position: last) }
      guard position >= 0, position < last else { return DirectoryChanges(position: last, isComplete: false) }
      return DirectoryChanges(position: last, changes: Array(content.changes[Int(position)...]))
    }
  }

  /// Runs `work` on the content, and tells of the changes that it added.
  func change<Value: Sendable>(_ work: (inout Content) -> Value) -> Value {
    let (value, hasNoted) = content.withLock { content in
      let count = content.changes.count
      let value = work(&content)
      return (value, content.changes.count > count)
    }
    if hasNoted { handler.withLock { $0 }?() }
    return value
  }

  /// Flushes and closes; no function may be called afterwards.
  public func close() {}
}
