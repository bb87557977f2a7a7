import Synchronization

/// The active readers of this process: the versions that its snapshots need. The oldest of them is published to other
/// processes through the ``LockFile``.
///
/// Reclamation horizon: nodes of versions below it that have no active reader may already be deleted.
///
/// A reader first registers a version, which commits respect from then on, and confirms it once the file shows that no
/// commit was quicker; see ``NodeReclaimer``.
final class SnapshotRegistry: Sendable {
  /// The outcome of ``register(_:)``.
  enum Registration {
    /// No node of the version was deleted, nor will be.
    case protected
    /// No node of the version will be deleted from now on; the reader has to check that none was before.
    case unconfirmed
    /// Nodes of the version may be deleted; the version was not registered.
    case reclaimed
  }

  /// A version with active readers.
  private struct Version {
    let number: UInt64
    /// Nodes of the version have lower numbers.
    var end = Int64.max
    var confirmed = 0
    var unconfirmed = 0
  }

  private struct State {
    /// Ascending by number; few, and changed at the end mostly.
    var versions: [Version] = []
    /// The reclamation horizon.
    var horizon: UInt64 = 0
    /// Nodes retired by versions above this may be kept for a reader that ended, although an older one is active.
    var rescanStart: UInt64?

    /// The least version with a reader; nil without readers.
    var oldest: UInt64? { versions.first?.number }

    func index(of number: UInt64) -> Int? { versions.lastIndex { $0.number == number } }

    /// The index of a version, which is inserted when it has no readers yet.
    mutating func insertedIndex(of number: UInt64) -> Int {
      let before = versions.lastIndex { $0.number <= number }
      if let before, versions[before].number == number { return before }
      let index = before.map { $0 + 1 } ?? 0
      versions.insert(Version(number: number), at: index)
      return index
    }
  }

  private let state = Mutex(State())
  /// Nil for a store in memory and for a file that no process can change.
  let lockFile: LockFile?

  init(lockFile: LockFile?) { self.lockFile = lockFile }

  /// Changes the readers, and publishes the oldest version if that changed.
  private func change<R>(_ body: (inout State) -> R) -> R {
    state.withLock { state in
      let before = state.oldest
      defer { if state.oldest != before { lockFile?.publish(oldestVersion: state.oldest ?? 0) } }
      return body(&state)
    }
  }

  /// Registers a reader of a version that may have lost nodes. Unless the version is reclaimed, ``confirm(_:end:)`` or
  /// ``withdraw(_:)`` follows.
  func register(_ version: UInt64) -> Registration {
    change { state in
      guard version >= state.horizon || state.index(of: version) != nil else { return .reclaimed }
      state.versions[state.insertedIndex(of: version)].unconfirmed += 1
      // Nodes that commits keep for an older reader, they keep for this version, too.
      return state.versions.contains { $0.confirmed > 0 && $0.number <= version } ? .protected : .unconfirmed
    }
  }

  /// Confirms a registered reader.
  ///
  /// - Parameter end: nodes of the version have lower numbers.
  func confirm(_ version: UInt64, end: Int64) {
    change { state in
      let index = state.insertedIndex(of: version)
      state.versions[index].unconfirmed -= 1
      add(&state, version, end)
    }
  }

  /// Withdraws a registered reader that was not confirmed.
  func withdraw(_ version: UInt64) {
    change { state in
      state.index(of: version).map { state.versions[$0].unconfirmed -= 1 }
      removeIfUnused(&state, version)
    }
  }

  /// Adds a reader of a version that lost no node for certain: the one being committed, or the latest in memory.
  func retain(_ version: UInt64, end: Int64) {
    change { add(&$0, version, end) }
  }

  /// Removes a confirmed reader.
  func release(_ version: UInt64) {
    change { state in
      state.index(of: version).map { state.versions[$0].confirmed -= 1 }
      removeIfUnused(&state, version)
    }
  }

  private func add(_ state: inout State, _ version: UInt64, _ end: Int64) {
    let index = state.insertedIndex(of: version)
    state.versions[index].confirmed += 1
    state.versions[index].end = end
  }

  private func removeIfUnused(_ state: inout State, _ version: UInt64) {
    guard let index = state.index(of: version), state.versions[index].confirmed == 0 else { return }
    // An unconfirmed reader may mean a version that another process committed after this process failed to.
    guard state.versions[index].unconfirmed == 0 else { return state.versions[index].end = .max }
    state.versions.remove(at: index)
    if index > 0 { state.rescanStart = min(state.rescanStart ?? version, version) }
  }

  /// The oldest version that a snapshot of this process needs; nil when none needs any.
  var oldestHere: UInt64? { state.withLock { $0.oldest } }

  /// The oldest version that another process needs; nil when none needs any.
  func oldestElsewhere() throws -> UInt64? { try lockFile?.oldestVersionElsewhere() }

  /// The oldest version that any process needs; nil when none needs any.
  func oldestAnywhere() throws -> UInt64? {
    let here = oldestHere
    return [here, try oldestElsewhere()].compactMap { $0 }.min()
  }

  // MARK: Nodes between two readers

  /// Advances the reclamation horizon for a commit that deletes nodes retired by versions up to `version`. From this call
  /// on, no version below it gets a first reader.
  ///
  /// - Returns: which of those nodes the readers of this process need.
  func advanceHorizon(to version: UInt64) -> NodesInUse {
    state.withLock { state in
      state.horizon = max(state.horizon, version)
      let versions = state.versions.map { ($0.number, $0.end) }
      return NodesInUse(versions: versions, through: version, rescanStart: state.rescanStart)
    }
  }

  /// Requests that nodes retired above `version` are scanned again.
  func requestRescan(from version: UInt64) {
    state.withLock { $0.rescanStart = min($0.rescanStart ?? version, version) }
  }

  /// Records that the rescan that started at `old` reached `new`; nil for the end.
  func rescanned(from old: UInt64, to new: UInt64?) {
    state.withLock { if $0.rescanStart == old { $0.rescanStart = new } }
  }
}
