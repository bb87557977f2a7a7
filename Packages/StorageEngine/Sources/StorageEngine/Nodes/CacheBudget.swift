import Glibc
import Synchronization

/// How many bytes of decoded nodes may stay in memory, over all caches that share the budget.
///
///     cache ──▶ budget ──▶ all caches        a node is added; when there are too many, all give some up
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
  /// Which member gives something up first.
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

  /// Counts bytes; when there are too many now, caches give up an eighth of the budget.
  func add(_ count: Int) {
    if used.add(count, ordering: .relaxed).newValue > bytes { evict() }
  }

  func subtract(_ count: Int) { used.subtract(count, ordering: .relaxed) }

  private func evict() {
    // One thread at a time; the others go on, a little over the budget.
    guard !isEvicting.exchange(true, ordering: .acquiring) else { return }
    defer { isEvicting.store(false, ordering: .releasing) }
    let target = bytes / 8 * 7
    let caches = members.withLock { $0.compactMap(\.cache) }
    guard !caches.isEmpty else { return }
    // The first round takes what was not used since the last one, the second what is left.
    for _ in 0..<2 {
      for _ in caches.indices {
        if usedBytes <= target { return }
        let next = hand.wrappingAdd(1, ordering: .relaxed).newValue
        caches[Int(UInt(bitPattern: next) % UInt(caches.count))].sweep { self.usedBytes <= target }
      }
    }
  }
}
