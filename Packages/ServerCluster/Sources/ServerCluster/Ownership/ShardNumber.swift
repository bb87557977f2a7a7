import Cryptography
public import Permissions

/// One of 4,096 parts of a cluster's realms, by a digest of their paths: what nodes own and hand over.
///
///     ShardNumber(of: try RealmPath("/ann/todo")).rawValue   // always the same, on each node
public struct ShardNumber: Hashable, Comparable, Sendable {
  /// How many there are.
  public static let count = 4_096

  /// From 0 to 4,095.
  public let rawValue: Int

  /// The shard of a number; nil when there is none.
  public init?(_ rawValue: Int) {
    guard (0..<Self.count).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// The shard of a realm. A partial view is in the shard of its reference realm.
  public init(of path: RealmPath) {
    let realm = path.partialView?.realm ?? path
    let digest = Digest.sha256.hash(Array(realm.description.utf8))
    rawValue = (Int(digest[0]) << 8 | Int(digest[1])) % Self.count
  }

  /// The order of the numbers.
  public static func < (one: ShardNumber, other: ShardNumber) -> Bool { one.rawValue < other.rawValue }
}
