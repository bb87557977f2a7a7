import Dispatch
import SyncClient
import Synchronization
import TodoCore

/// What the user may do with lists, and what the server refused: known from its answers, remembered for when it cannot
/// be reached. Used from any thread.
final class AccessBook: Sendable {
  private struct State {
    var level: Access?
    var refused: [RefusedWrite] = []
    var changed: (@Sendable () -> Void)?
  }
  private let state: Mutex<State>
  private let user: String
  private let place: String
  private let ask: @Sendable () throws -> Access?
  private let remember: @Sendable (Access) -> Void

  /// How many refused changes are remembered.
  private static let limit = 1_000

  /// - Parameters:
  ///   - known: what was remembered.
  ///   - ask: asks the server; it may take as long as it takes.
  ///   - remember: keeps an answer.
  init(
    user: String, place: String, known: Access?, ask: @escaping @Sendable () throws -> Access?,
    remember: @escaping @Sendable (Access) -> Void
  ) {
    (self.user, self.place, self.ask, self.remember) = (user, place, ask, remember)
    state = Mutex(State(level: known))
  }

  var access: StoreAccess? {
    state.withLock { $0.level }.map { StoreAccess(user: user, place: place, level: $0) }
  }
  var refused: [RefusedWrite] { state.withLock { $0.refused } }

  /// Says who wants to know of changes.
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

  /// Hears what a session reports.
  func heard(_ error: SyncError) {
    guard let writes = error.compensatingWriteInfo else { return }
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
