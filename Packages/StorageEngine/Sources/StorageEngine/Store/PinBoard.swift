import Synchronization

/// Which versions the snapshots of this process need, and the oldest of them published to other processes.
final class PinBoard: Sendable {
  private struct State {
    var counts: [UInt64: Int] = [:]
    /// The least version pinned; nil when none is.
    var oldest: UInt64?
  }

  private let state = Mutex(State())
  let coordination: CoordinationFile?

  init(coordination: CoordinationFile?) { self.coordination = coordination }

  /// Pins a version; returns whether an older or equal pin was there before, so that the version is safe already.
  func pin(_ version: UInt64) -> Bool {
    state.withLock { state in
      let wasSafe = state.oldest.map { $0 <= version } ?? false
      state.counts[version, default: 0] += 1
      if !wasSafe {
        state.oldest = version
        coordination?.publish(oldestPin: version)
      }
      return wasSafe
    }
  }

  func unpin(_ version: UInt64) {
    state.withLock { state in
      let count = (state.counts[version] ?? 1) - 1
      if count > 0 {
        state.counts[version] = count
        return
      }
      state.counts[version] = nil
      guard state.oldest == version else { return }
      state.oldest = state.counts.keys.min()
      coordination?.publish(oldestPin: state.oldest ?? 0)
    }
  }

  /// The oldest version that any process needs; nil when none needs any.
  func oldestEverywhere() throws -> UInt64? {
    let own = state.withLock { $0.oldest }
    let others = try coordination?.oldestPinOfOthers()
    return [own, others].compactMap { $0 }.min()
  }
}
