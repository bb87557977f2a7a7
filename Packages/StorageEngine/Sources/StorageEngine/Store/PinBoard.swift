import Synchronization

/// Which versions the snapshots of this process need, and the oldest of them published to other processes.
///
/// A reader first tries a version, which commits respect from then on, and keeps it once it knows that no commit was
/// quicker; see ``Reclaiming``.
final class PinBoard: Sendable {
  enum Attempt {
    /// Nothing that the version needs was deleted, nor will be.
    case safe
    /// Nothing will be deleted from now on; the reader has to look whether something was.
    case unproven
    /// The version may have lost nodes; nothing was pinned.
    case lost
  }

  private struct Pin {
    let version: UInt64
    /// Nodes of the version have lower numbers.
    var end = Int64.max
    var kept = 0
    var tried = 0
  }

  private struct State {
    /// Of different versions, ascending; few, and changed at the end mostly.
    var pins: [Pin] = []
    /// Versions below this that are not pinned may have lost nodes.
    var thinned: UInt64 = 0
    /// Nodes retired by versions above this may be kept for a pin that is gone, although an older one stands.
    var revisit: UInt64?

    /// The least version pinned; nil when none is.
    var oldest: UInt64? { pins.first?.version }

    func place(of version: UInt64) -> Int? { pins.lastIndex { $0.version == version } }

    /// Where the pin of a version stands, put there if there was none.
    mutating func madePlace(of version: UInt64) -> Int {
      let before = pins.lastIndex { $0.version <= version }
      if let before, pins[before].version == version { return before }
      let place = before.map { $0 + 1 } ?? 0
      pins.insert(Pin(version: version), at: place)
      return place
    }
  }

  private let state = Mutex(State())
  let coordination: CoordinationFile?

  init(coordination: CoordinationFile?) { self.coordination = coordination }

  /// Changes pins; publishes the oldest if that is another one then.
  private func change<R>(_ body: (inout State) -> R) -> R {
    state.withLock { state in
      let before = state.oldest
      defer { if state.oldest != before { coordination?.publish(oldestPin: state.oldest ?? 0) } }
      return body(&state)
    }
  }

  /// Pins a version for somebody who does not know yet whether its nodes are there; ends with ``keep(_:end:)`` or
  /// ``abandon(_:)``, unless it is lost.
  func attempt(_ version: UInt64) -> Attempt {
    change { state in
      guard version >= state.thinned || state.place(of: version) != nil else { return .lost }
      state.pins[state.madePlace(of: version)].tried += 1
      // What commits leave to an older pin, they leave to this version, too.
      return state.pins.contains { $0.kept > 0 && $0.version <= version } ? .safe : .unproven
    }
  }

  /// Keeps a version that was tried.
  ///
  /// - Parameter end: nodes of the version have lower numbers.
  func keep(_ version: UInt64, end: Int64) {
    change { state in
      let place = state.madePlace(of: version)
      state.pins[place].tried -= 1
      add(&state, version, end)
    }
  }

  func abandon(_ version: UInt64) {
    change { state in
      state.place(of: version).map { state.pins[$0].tried -= 1 }
      drop(&state, version)
    }
  }

  /// Pins a version of which nothing can have been deleted: the one being committed, or the latest in memory.
  func pin(_ version: UInt64, end: Int64) {
    change { add(&$0, version, end) }
  }

  func unpin(_ version: UInt64) {
    change { state in
      state.place(of: version).map { state.pins[$0].kept -= 1 }
      drop(&state, version)
    }
  }

  private func add(_ state: inout State, _ version: UInt64, _ end: Int64) {
    let place = state.madePlace(of: version)
    state.pins[place].kept += 1
    state.pins[place].end = end
  }

  private func drop(_ state: inout State, _ version: UInt64) {
    guard let place = state.place(of: version), state.pins[place].kept == 0 else { return }
    // Who tries the version may mean one that another process committed after this one failed to.
    guard state.pins[place].tried == 0 else { return state.pins[place].end = .max }
    state.pins.remove(at: place)
    if place > 0 { state.revisit = min(state.revisit ?? version, version) }
  }

  /// The oldest version that a snapshot of this process needs.
  var oldestOwn: UInt64? { state.withLock { $0.oldest } }

  /// The oldest version that another process needs; nil when none needs any.
  func oldestOfOthers() throws -> UInt64? { try coordination?.oldestPinOfOthers() }

  /// The oldest version that any process needs; nil when none needs any.
  func oldestEverywhere() throws -> UInt64? {
    let own = oldestOwn
    return [own, try oldestOfOthers()].compactMap { $0 }.min()
  }

  // MARK: Between pins

  /// What the pins of this process need, for a commit that deletes nodes retired up to `through`. From this call on no
  /// other version below it can be pinned.
  func thin(through: UInt64) -> PinnedNodes {
    state.withLock { state in
      state.thinned = max(state.thinned, through)
      let pins = state.pins.map { ($0.version, $0.end) }
      return PinnedNodes(pins: pins, through: through, revisit: state.revisit)
    }
  }

  /// Says that nodes retired above `version` have to be looked at again.
  func revisit(from version: UInt64) {
    state.withLock { $0.revisit = min($0.revisit ?? version, version) }
  }

  /// Says how far the entries that had to be looked at again were: from `old` to `new`, nil for the end.
  func visited(_ old: UInt64, to new: UInt64?) {
    state.withLock { if $0.revisit == old { $0.revisit = new } }
  }
}
