public import Glibc
public import StorageEngine
import Synchronization
import RecordStore

/// What a live object knows, at one place in it that reads reach by its address: they cost loads and no exclusivity
/// checks.
///
/// An implementation detail of inlined property reads.
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
  /// How the class lies in the view's file; lives as long as the view.
  var access: Unmanaged<ClassAccess>?
  /// Whether the object was managed and lost its row for good: rolled back or invalidated.
  var isDetached = false
  /// Whether the object serves to follow key paths on; see ``KeyPathTracer``.
  var isTracing = false
  /// The transaction in which the object was made live; 0 when in none.
  var birth: UInt64 = 0
  /// The view's count of deletions when the row was last known to live.
  var livedAt: UInt64 = 0
  /// The view's generation at which the object was made live.
  var generation: UInt64 = 0

  init() {}

  /// The row's place in the cluster.
  @inlinable var slot: Int { row.slot }

  /// Where it lies in an object, in bytes: behind the type and the reference counts.
  @usableFromInline static var offset: Int { @inlinable @inline(__always) get { MemoryLayout<(Int, Int)>.size } }
}

/// What inlined reads must know of a view onto a realm: whether clusters found earlier are current, and whose the
/// view is.
public struct ViewState {
  /// Grows whenever clusters found earlier may be out of date.
  @usableFromInline var epoch: UInt64 = 1
  /// The thread that the view is confined to; 0 when something else decides.
  @usableFromInline var thread: pthread_t = 0
  /// The transaction in which something is made live now; 0 outside of transactions.
  var birth: UInt64 = 0
  /// Grows with every invalidation; what was made live before is invalid.
  var generation: UInt64 = 0
  var isFrozen = false
  /// Grows whenever rows may have gone.
  var deletions: UInt64 = 1
  /// Grows with every change that results must take up.
  var dataVersion: UInt64 = 0
  /// What is read outside of transactions, kept by the view; nil within one, and when nothing was read yet.
  var snapshot: Unmanaged<Snapshot>?
  /// The class looked up last, kept by the view; never set where several threads look.
  var lastAccess: Unmanaged<ClassAccess>?
  /// The clusters of the running transaction that ``epoch`` knows of; see `TableWriter.clusterEpoch`.
  var clusterEpoch: UInt64 = 0
  /// How many live objects the view has. The first takes a reference to the view and the last gives it back, since
  /// objects come and go by the million.
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
  /// The cluster of a managed object, current and on the right thread.
  @inlinable func currentCluster() -> Unmanaged<Cluster> {
    if let view = pointee.view, view.pointee.epoch == pointee.epoch, view.pointee.thread == pthread_self(),
      let cluster = pointee.cluster
    {
      return cluster
    }
    return lookedUpCluster()
  }

  /// Looks the cluster up again, or stops the program because the object is gone or the thread wrong.
  @usableFromInline @inline(never) func lookedUpCluster() -> Unmanaged<Cluster> {
    guard let view = pointee.view else { violated("Object has been deleted or invalidated.") }
    view.pointee.view._withUnsafeGuaranteedRef { $0.checkConfinement() }
    if locate(), let cluster = pointee.cluster { return cluster }
    guard isMissing(view) else { violated("Object has been deleted or invalidated.") }
    return showBlankCluster(view)
  }

  /// Whether the row does not live though nothing was deleted since it was met, so that only a damaged file leads to it.
  private func isMissing(_ view: UnsafeMutablePointer<ViewState>) -> Bool {
    if pointee.isDetached { return false }
    let isFaulty = view.pointee.view._withUnsafeGuaranteedRef { $0.faults.isFaulty }
    return isFaulty || pointee.livedAt == view.pointee.deletions
  }

  /// Lets the object show blanks until the view changes.
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

  /// The row of an object of that view, of which nothing was deleted since the object was met; nil when one has to look.
  @inline(__always) func knownRow(in view: UnsafeMutablePointer<ViewState>) -> RowKey? {
    guard pointee.view == view, pointee.livedAt == view.pointee.deletions, !pointee.isDetached else { return nil }
    return pointee.row
  }

  /// Whether the row lives, for writing: what is about to be replaced is not kept, since an object that kept it would
  /// keep the version before the write for as long as nobody reads the object.
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

  /// Gives up a cluster that is no longer current.
  @inline(__always) func releaseStaleCluster(_ view: UnsafeMutablePointer<ViewState>) {
    guard pointee.epoch != view.pointee.epoch, let cluster = pointee.cluster else { return }
    pointee.cluster = nil
    cluster.release()
  }

  /// The cluster in which the row lives, looked up anew; what was kept before is let go.
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
