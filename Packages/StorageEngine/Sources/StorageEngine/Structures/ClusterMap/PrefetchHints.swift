import CStorageSupport
import Synchronization

/// The addresses of the clusters of a cluster-map leaf when they were last found, for prefetching.
///
/// Addresses are given to the processor's prefetch only, never dereferenced, since a cluster may be gone. A random read
/// of a row then waits for memory once, instead of for the slot, the cluster, its columns and the cell one after the
/// other.
///
/// The versions of a leaf share their hints: where one of them replaced a cluster, readers of the others prefetch the
/// wrong one. Serves store.follow-links and store.key-lookups.
final class PrefetchHints: @unchecked Sendable {
  // @unchecked: entries are atomics.
  /// Two words for each cluster: the object, and its storage.
  private let entries: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    entries = .allocate(capacity: ClusterMapLeaf.width * 2)
    for index in 0..<ClusterMapLeaf.width * 2 { (entries + index).initialize(to: Atomic(0)) }
  }

  deinit { entries.deallocate() }

  func note(_ cluster: Cluster, at entry: Int) {
    entries[entry * 2].store(UInt(bitPattern: Unmanaged.passUnretained(cluster).toOpaque()), ordering: .relaxed)
    entries[entry * 2 + 1].store(UInt(bitPattern: cluster.storage), ordering: .relaxed)
  }

  /// - Parameters:
  ///   - entry: below ``ClusterMapLeaf/width``.
  ///   - slot: the row's slot in the cluster.
  func prefetch(_ entry: Int, _ cells: CellOffsets, row slot: Int) {
    guard let object = UnsafeRawPointer(bitPattern: entries[entry * 2].load(ordering: .relaxed)),
      let storage = UnsafeRawPointer(bitPattern: entries[entry * 2 + 1].load(ordering: .relaxed))
    else { return }
    storage_prefetch(object, 128)
    storage_prefetch(storage, cells.head)
    for place in cells.places { storage_prefetch(storage + place.offset + slot * place.width, 1) }
  }
}
