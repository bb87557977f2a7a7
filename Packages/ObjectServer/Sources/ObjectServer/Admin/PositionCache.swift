import RecordStore
import Synchronization

/// Remembers the orders in which versions of realms show their objects, so that a page of a long list costs what the page costs.
///
/// The oldest are forgotten beyond ``limit`` bytes. From any thread; two askers of the same order may make it twice.
final class PositionCache: Sendable {
  /// The bytes that are remembered at most.
  static let limit = 64 << 20

  struct Key: Hashable, Sendable {
    var realm: String
    var version: UInt64
    var className: String
    var query: String?
  }

  private struct Content {
    var orders: [Key: (positions: ObjectPositions, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0

    mutating func remove(_ key: Key) { bytes -= orders.removeValue(forKey: key)?.positions.bytes ?? 0 }
  }

  private let content = Mutex(Content())

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
      guard made.bytes <= Self.limit, content.orders[key] == nil else { return }
      content.orders[key] = (made, content.clock)
      content.bytes += made.bytes
      while content.bytes > Self.limit, let oldest = content.orders.min(by: { $0.value.used < $1.value.used })?.key {
        content.remove(oldest)
      }
    }
    return made
  }
}
