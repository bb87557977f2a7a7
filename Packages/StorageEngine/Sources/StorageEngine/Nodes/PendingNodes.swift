import Synchronization

/// Finds the pending nodes of all versions in memory by number.
///
/// What no root keeps any more can still be found for a while, as nodes in the file can until they are deleted: a
/// reader of an index or list may outlive its snapshot by a moment.
final class PendingNodes: Sendable {
  private struct Entry {
    var content: [UInt8]
    /// Roots and transactions that keep it, as instances of ``PendingNode``.
    var keepers: Int
    /// Whether the file has it by now.
    var isWritten = false
  }

  private struct State {
    var entries: [Int64: Entry] = [:]
    /// Numbers that nobody keeps, oldest first.
    var lingering: [Int64] = []
  }

  /// Nodes that can be found although nobody keeps them.
  static let lingeringLimit = 64

  private let state = Mutex(State())
  func content(_ id: Int64) -> [UInt8]? { state.withLock { $0.entries[id]?.content } }

  /// Nodes that can be found.
  var count: Int { state.withLock { $0.entries.count } }

  func add(_ id: Int64, _ content: [UInt8]) {
    state.withLock { state in
      state.entries[id, default: Entry(content: content, keepers: 0)].keepers += 1
    }
  }

  /// Notes that the file has these nodes, so that they stay decoded when no root keeps them.
  func written(_ nodes: some Sequence<PendingNode>) {
    state.withLock { state in
      for node in nodes { state.entries[node.id]?.isWritten = true }
    }
  }

  /// Forgets numbers that were never committed, at once: another process may give them out.
  func forget(_ ids: Range<Int64>) {
    state.withLock { state in
      for id in state.entries.keys where ids.contains(id) { state.entries[id] = nil }
    }
  }

  /// Notes that one instance is gone; returns whether nobody needs the decoded form any more.
  func drop(_ id: Int64) -> Bool {
    state.withLock { state in
      guard let place = state.entries.index(forKey: id) else { return false }
      state.entries.values[place].keepers -= 1
      guard state.entries.values[place].keepers == 0 else { return false }
      let isUnwritten = !state.entries.values[place].isWritten
      state.lingering.append(id)
      if state.lingering.count >= 2 * Self.lingeringLimit {
        for old in state.lingering.prefix(Self.lingeringLimit) where state.entries[old]?.keepers == 0 {
          state.entries[old] = nil
        }
        state.lingering.removeFirst(Self.lingeringLimit)
      }
      return isUnwritten
    }
  }
}
