import Dispatch
import RealmSwift
import Synchronization
import TodoCore

/// The rights of a user to lists, and the user's writes that the server refused, as of the server's last answer. Used
/// from any thread.
final class AccessMonitor: Sendable {
  private struct State {
    var level: Access?
    var refused: [RefusedWrite] = []
    var changed: (@Sendable () -> Void)?
  }
  private let state: Mutex<State>
  private let user: String
  private let owner: String
  private let ask: @Sendable () throws -> Access?
  private let remember: @Sendable (Access) -> Void

  /// The number of refused writes that are remembered.
  private static let limit = 1_000

  /// - Parameters:
  ///   - owner: the lists in words, such as `ann's lists`.
  ///   - known: the answer of an earlier run.
  ///   - ask: asks the server, for as long as that takes.
  ///   - remember: keeps an answer for later runs.
  init(
    user: String, owner: String, known: Access?, ask: @escaping @Sendable () throws -> Access?,
    remember: @escaping @Sendable (Access) -> Void
  ) {
    (self.user, self.owner, self.ask, self.remember) = (user, owner, ask, remember)
    state = Mutex(State(level: known))
  }

  /// The rights; nil as long as the server never told them.
  var access: StoreAccess? {
    state.withLock { $0.level }.map { StoreAccess(user: user, place: owner, level: $0) }
  }
  var refused: [RefusedWrite] { state.withLock { $0.refused } }

  /// Sets the function that is called after each change, on any thread.
  func onChange(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// Asks the server, and waits three seconds at most; a later answer still counts.
  func check() {
    let answered = ChangeSignal()
    DispatchQueue.global().async { [self] in
      if let level = try? ask() { set(level) }
      answered.raise()
    }
    answered.wait(seconds: 3)
  }

  /// Takes note of an error of the session: the writes that the server refused.
  func note(_ error: any Error) {
    guard let writes = (error as? SyncError)?.compensatingWriteInfo else { return }
    let refused = writes.map { write in
      let key = if case .string(let key) = write.primaryKey { key } else { "\(write.primaryKey)" }
      return RefusedWrite(kind: write.objectType, key: key, reason: write.reason)
    }
    state.withLock { $0.refused.append(contentsOf: refused.prefix(max(0, Self.limit - $0.refused.count))) }
    set(.read)
  }

  private func set(_ level: Access) {
    let changed = state.withLock { state in
      defer { state.level = level }
      return state.level == level && state.refused.isEmpty ? nil : state.changed
    }
    remember(level)
    changed?()
  }
}
