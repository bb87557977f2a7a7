import Synchronization

/// The pending nodes of all versions in memory, by number. May be used from any thread.
///
/// The last nodes without an owner can still be found for a while, as nodes in the file can until they are deleted: a
/// reader of an index or list may outlive its snapshot by a moment.
final class PendingNodes: Sendable {
  private struct Entry {
    var content: [UInt8]
    /// Roots and transactions that own the node, as instances of ``PendingNode``.
    var owners: Int
    /// Whether the file has the node, too.
    var isWritten = false
  }

  private struct State {
    var entries: [Int64: Entry] = [:]
    /// Numbers without an owner, oldest first.
    var unowned: [Int64] = []
  }

  /// Nodes without an owner that can be found.
  static let unownedLimit = 64

  private let state = Mutex(State())
  func content(_ id: Int64) -> [UInt8]? { state.withLock { $0.entries[id]?.content } }

  /// The number of nodes that can be found.
  var count: Int { state.withLock { $0.entries.count } }

  func add(_ id: Int64, _ content: [UInt8]) {
    state.withLock { state in
      state.entries[id, default: Entry(content: content, owners: 0)].owners += 1
    }
  }

  /// Records that the file has these nodes, so that they stay cached when no root page owns them.
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

  /// Records that one instance is gone; returns whether the decoded form is not needed any more.
  func drop(_ id: Int64) -> Bool {
    state.withLock { state in
      guard let place = state.entries.index(forKey: id) else { return false }
      state.entries.values[place].owners -= 1
      guard state.entries.values[place].owners == 0 else { return false }
      let isUnwritten = !state.entries.values[place].isWritten
      state.unowned.append(id)
      if state.unowned.count >= 2 * Self.unownedLimit {
        for old in state.unowned.prefix(Self.unownedLimit) where state.entries[old]?.owners == 0 {
          state.entries[old] = nil
        }
        state.unowned.removeFirst(Self.unownedLimit)
      }
      return isUnwritten
    }
  }
}
