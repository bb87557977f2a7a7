import RecordStore
import Synchronization

/// Remembers the orders in which versions of realms show their objects, so that a page of a long list costs what the page costs.
///
/// The oldest are forgotten beyond ``limit`` bytes, the texts of queries among them, and beyond ``mostOrders``. From any thread; two askers of the same order may make it twice.
final class PositionCache: Sendable {
  /// The bytes that are remembered at most.
  static let limit = 64 << 20
  /// The orders that are remembered at most.
  static let mostOrders = 1_000

  struct Key: Hashable, Sendable {
    var realm: String
    var version: UInt64
    var className: String
    var query: String?

    /// The memory that it takes with an order, in bytes.
    func bytes(with positions: ObjectPositions) -> Int {
      positions.bytes + realm.utf8.count + className.utf8.count + (query?.utf8.count ?? 0)
    }
  }

  private struct Content {
    var orders: [Key: (positions: ObjectPositions, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0

    mutating func remove(_ key: Key) {
      bytes -= orders.removeValue(forKey: key).map { key.bytes(with: $0.positions) } ?? 0
    }
  }

  private let content = Mutex(Content())

  /// The orders that are remembered, and the bytes that they take.
  var held: (orders: Int, bytes: Int) { content.withLock { ($0.orders.count, $0.bytes) } }

  /// Forgets the orders of a realm whose files are others now: versions are counted from the beginning in each file.
  func forget(_ realm: String) {
    content.withLock { content in
      for old in content.orders.keys where old.realm == realm { content.remove(old) }
    }
  }

  /// The order under a key, made when it is not known.
  func positions(_ key: Key, _ make: () throws -> ObjectPositions) rethrows -> ObjectPositions {
    let known = content.withLock { content -> ObjectPositions? in
      content.clock += 1
      guard let found = content.orders[key] else { return nil }
      content.orders[key]?.used = content.clock
      return found.positions
    }
    if let known { return known }
    let made = try make()
    content.withLock { content in
      // Earlier versions of the realm are not asked for any more.
      for old in content.orders.keys where old.realm == key.realm && old.version < key.version { content.remove(old) }
      guard key.bytes(with: made) <= Self.limit, content.orders[key] == nil else { return }
      content.orders[key] = (made, content.clock)
      content.bytes += key.bytes(with: made)
      while content.bytes > Self.limit || content.orders.count > Self.mostOrders,
        let oldest = content.orders.min(by: { $0.value.used < $1.value.used })?.key
      {
        content.remove(oldest)
      }
    }
    return made
  }
}
