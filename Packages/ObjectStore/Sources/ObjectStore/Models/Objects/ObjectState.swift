public import Glibc
public import StorageEngine
import Synchronization
import RecordStore

/// The state of an object: its view, its row, and the cluster in which the row was found last.
///
/// Public for inlined property reads only. Reads use it by address, which needs no exclusivity checks. Serves
/// store.property-int, store.property-string and store.read-all.
///
/// Unmanaged references: the view keeps what it gives out, and a live object keeps the view through its count of objects.
public struct ObjectState {
  /// The view that the object belongs to; nil while it is unmanaged.
  @usableFromInline var view: UnsafeMutablePointer<ViewState>?
  /// The view's epoch at which ``cluster`` was looked up.
  @usableFromInline var epoch: UInt64 = 0
  /// The cluster that holds the object's row, held strongly.
  @usableFromInline var cluster: Unmanaged<Cluster>?
  /// The storage column of each property.
  @usableFromInline var columns: UnsafeMutablePointer<ColumnID>?
  /// The row.
  @usableFromInline var row = RowKey.none
  /// The layout of the class in the view's file. The view keeps it.
  var access: Unmanaged<ClassAccess>?
  /// Whether the object was live and lost its row for good, by a rollback or an invalidation.
  var isDetached = false
  /// Whether the object is a tracer of ``KeyPathTracer``.
  var isTracing = false
  /// The number of the transaction in which the object became live; 0 outside of transactions.
  var birth: UInt64 = 0
  /// The view's count of deletions when the row was last known to live.
  var livedAt: UInt64 = 0
  /// The view's generation at which the object became live.
  var generation: UInt64 = 0

  init() {}

  /// The row's slot in the cluster.
  @inlinable var slot: Int { row.slot }

  /// The offset in an object, in bytes: behind the two words of the type and the reference counts. ``RuntimeLayout``
  /// checks it.
  @usableFromInline static var offset: Int { @inlinable @inline(__always) get { MemoryLayout<(Int, Int)>.size } }
}

/// The state of a view that inlined reads check: its thread, and the epoch of its clusters.
///
/// Objects reach it by address. The view owns the memory and outlives its live objects.
public struct ViewState {
  /// Grows whenever cached clusters may be stale.
  @usableFromInline var epoch: UInt64 = 1
  /// The thread that the view is confined to; 0 when something else decides.
  @usableFromInline var thread: pthread_t = 0
  /// The number of the open transaction; 0 outside of transactions.
  var birth: UInt64 = 0
  /// Grows with every invalidation. Objects of an older generation are invalid.
  var generation: UInt64 = 0
  var isFrozen = false
  /// Grows whenever rows may have been deleted.
  var deletions: UInt64 = 1
  /// Grows with every change that makes results stale.
  var dataVersion: UInt64 = 0
  /// The snapshot that is read, which the view keeps; nil within a transaction, and before the first read.
  var snapshot: Unmanaged<Snapshot>?
  /// The class that was looked up last, which the view keeps; nil in a frozen view, which several threads use.
  var lastAccess: Unmanaged<ClassAccess>?
  /// The transaction's cluster epoch at the last change of ``epoch``; see `TableWriter.clusterEpoch`.
  var clusterEpoch: UInt64 = 0
  /// The number of live objects. The first retains the view and the last releases it: one atomic addition per object in
  /// place of a slower retain of a weakly referenced view.
  let liveObjects: UnsafeMutablePointer<Atomic<Int>>
  /// The view.
  let view: Unmanaged<RealmView>

  init(_ view: RealmView) {
    self.view = Unmanaged.passUnretained(view)
    liveObjects = .allocate(capacity: 1)
    liveObjects.initialize(to: Atomic(0))
  }

  func retained() {
    if liveObjects.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 { _ = view.retain() }
  }

  func released() {
    if liveObjects.pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { view.release() }
  }
}

extension UnsafeMutablePointer where Pointee == ObjectState {
  /// The current cluster of a live object, after a check of the thread.
  @inlinable func currentCluster() -> Unmanaged<Cluster> {
    if let view = pointee.view, view.pointee.epoch == pointee.epoch, view.pointee.thread == pthread_self(),
      let cluster = pointee.cluster
    {
      return cluster
    }
    return lookedUpCluster()
  }

  /// Looks the cluster up again. A deleted object and a wrong thread stop the program.
  @usableFromInline @inline(never) func lookedUpCluster() -> Unmanaged<Cluster> {
    guard let view = pointee.view else { violated("Object has been deleted or invalidated.") }
    view.pointee.view._withUnsafeGuaranteedRef { $0.checkConfinement() }
    if locate(), let cluster = pointee.cluster { return cluster }
    guard isMissing(view) else { violated("Object has been deleted or invalidated.") }
    return showBlankCluster(view)
  }

  /// Whether the row is missing although nothing was deleted since it was last seen alive, which only damage explains.
  private func isMissing(_ view: UnsafeMutablePointer<ViewState>) -> Bool {
    if pointee.isDetached { return false }
    let isFaulty = view.pointee.view._withUnsafeGuaranteedRef { $0.faults.isFaulty }
    return isFaulty || pointee.livedAt == view.pointee.deletions
  }

  /// Makes the object show defaults until the view changes.
  @discardableResult
  func showBlankCluster(_ view: UnsafeMutablePointer<ViewState>) -> Unmanaged<Cluster> {
    let blank = view.pointee.view._withUnsafeGuaranteedRef { owner in
      owner.faults.note(Realm.Error.damage("An object that is linked to does not exist."))
      return Unmanaged.passRetained(owner.file.store.blankCluster())
    }
    pointee.cluster = blank
    pointee.epoch = view.pointee.epoch
    return blank
  }

  /// Whether the object belongs to a frozen view.
  @usableFromInline var isFrozenObject: Bool { pointee.view?.pointee.isFrozen ?? false }

  /// Finds the row at the view's present state; false when it does not live.
  func locate() -> Bool {
    guard let view = pointee.view else { return false }
    if view.pointee.epoch == pointee.epoch, pointee.cluster != nil, !pointee.isDetached { return true }
    guard let cluster = find() else { return false }
    pointee.cluster = Unmanaged.passRetained(cluster)
    pointee.epoch = view.pointee.epoch
    return true
  }

  /// The row of an object of that view, if nothing was deleted since it was last seen alive; nil when it has to be
  /// looked up.
  func knownRow(in view: UnsafeMutablePointer<ViewState>) -> RowKey? {
    guard pointee.view == view, pointee.livedAt == view.pointee.deletions, !pointee.isDetached else { return nil }
    return pointee.row
  }

  /// Whether the row lives, before a write. Releases a stale cluster, which would keep the version before the write
  /// until the object's next read.
  func livesForWriting() -> Bool {
    guard let view = pointee.view, !pointee.isDetached else { return false }
    if pointee.livedAt == view.pointee.deletions {
      releaseStaleCluster(view)
      return true
    }
    if view.pointee.epoch != pointee.epoch || pointee.cluster == nil, find() == nil { return false }
    pointee.livedAt = view.pointee.deletions
    return true
  }

  /// Releases a cluster that is no longer current.
  /// Inlined everywhere, since it runs once per value. Serves store.property-write.
  @inline(__always) func releaseStaleCluster(_ view: UnsafeMutablePointer<ViewState>) {
    guard pointee.epoch != view.pointee.epoch, let cluster = pointee.cluster else { return }
    pointee.cluster = nil
    cluster.release()
  }

  /// Looks up the cluster in which the row lives; nil when it does not live. Releases the previous cluster.
  private func find() -> Cluster? {
    guard let view = pointee.view, let access = pointee.access, !pointee.isDetached else { return nil }
    pointee.cluster?.release()
    pointee.cluster = nil
    let row = pointee.row
    return access._withUnsafeGuaranteedRef { access in
      view.pointee.view._withUnsafeGuaranteedRef { owner in
        if pointee.generation != view.pointee.generation
          || (pointee.birth != 0 && owner.wasCancelled(row, access.layout.table, birth: pointee.birth))
        {
          pointee.isDetached = true
          return nil
        }
        guard let cluster = owner.cluster(row, access.fastPath.pointee.table), cluster.isAlive(row.slot) else {
          return nil
        }
        return cluster
      }
    }
  }
}
