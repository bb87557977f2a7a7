import Concurrency
import ObjectServer
import Permissions
import RecordStore
import Synchronization

/// Files of realms that cannot be opened for a time, and that note in which queue they are opened for consumers.
final class BreakableHistories: HistoryStores {
  struct Broken: Error {}

  private let inner: any HistoryStores
  private let state = Mutex((isBroken: false, queues: [SerialQueue?]()))
  /// The queue whose job is running.
  let running = Box<@Sendable () -> SerialQueue?>()

  init(_ inner: any HistoryStores) { self.inner = inner }

  /// The queues in which files were opened for consumers, in order.
  var queues: [SerialQueue?] { state.withLock(\.queues) }

  /// Makes the files such as cannot be opened, or can.
  func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

  private func check() throws { if state.withLock(\.isBroken) { throw Broken() } }

  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    try check()
    return try inner.open(path, isNew: isNew)
  }

  func history(of path: Permissions.RealmPath) throws -> ServerHistory? {
    let queue = running.value?()
    state.withLock { $0.queues.append(queue) }
    try check()
    return try inner.history(of: path)
  }

  func remove(_ path: Permissions.RealmPath) throws { try inner.remove(path) }
  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    try inner.move(path, to: newPath)
  }
}
