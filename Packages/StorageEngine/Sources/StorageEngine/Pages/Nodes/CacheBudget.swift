import Glibc
import Synchronization

/// The bytes of decoded nodes that all caches of the budget may hold together. A cache that exceeds the budget makes
/// all caches evict, an eighth of the budget at a time. May be used from any thread.
final class CacheBudget: Sendable {
  /// The budget of the process: an eighth of the machine's memory, from 256 MiB to 2 GiB.
  static let shared: CacheBudget = {
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return CacheBudget(bytes: min(max(memory / 8, 256 << 20), 2 << 30))
  }()

  private struct Member: Sendable { weak var cache: NodeCache? }

  let bytes: Int
  private let used = Atomic<Int>(0)
  private let members = Mutex<[Member]>([])
  private let isEvicting = Atomic<Bool>(false)
  /// Counts evictions: the cache that evicts first.
  private let hand = Atomic<Int>(0)

  init(bytes: Int) { self.bytes = bytes }

  var usedBytes: Int { used.load(ordering: .relaxed) }
  var isExceeded: Bool { usedBytes > bytes }

  func join(_ cache: NodeCache) {
    members.withLock { members in
      members.removeAll { $0.cache == nil }
      members.append(Member(cache: cache))
    }
  }

  /// Counts bytes; when they exceed the budget, caches evict an eighth of it.
  func add(_ count: Int) {
    if used.add(count, ordering: .relaxed).newValue > bytes { evict() }
  }

  func subtract(_ count: Int) { used.subtract(count, ordering: .relaxed) }

  private func evict() {
    // One thread evicts at a time; the others go on, a little over the budget.
    guard !isEvicting.exchange(true, ordering: .acquiring) else { return }
    defer { isEvicting.store(false, ordering: .releasing) }
    let target = bytes / 8 * 7
    let caches = members.withLock { $0.compactMap(\.cache) }
    guard !caches.isEmpty else { return }
    // The first round evicts nodes that were not referenced since the last round, the second the rest.
    for _ in 0..<2 {
      for _ in caches.indices {
        if usedBytes <= target { return }
        let next = hand.wrappingAdd(1, ordering: .relaxed).newValue
        caches[Int(UInt(bitPattern: next) % UInt(caches.count))].sweep { self.usedBytes <= target }
      }
    }
  }
}
