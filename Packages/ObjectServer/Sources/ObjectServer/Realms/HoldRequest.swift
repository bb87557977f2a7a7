import Synchronization

/// Tells the holders of a realm's files whether somebody waits for them. From any thread.
final class HoldRequest: Sendable {
  private struct State {
    var isMade = false
    var handlers: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }
  private let state = Mutex(State())

  /// Whether somebody waits.
  var isMade: Bool { state.withLock(\.isMade) }

  /// Makes the request, and calls the handlers of the holders.
  ///
  /// - Complexity: O(handlers).
  func make() {
    let handlers = state.withLock { state in
      state.isMade = true
      return Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }

  /// Takes the request back: nobody waits any more.
  func withdraw() { state.withLock { $0.isMade = false } }

  /// Chooses the handler of a holder, which is called whenever the request is made; at once when it was.
  func whenMade(_ holder: ObjectIdentifier, _ handler: @escaping @Sendable () -> Void) {
    let isMade = state.withLock { state in
      state.handlers[holder] = handler
      return state.isMade
    }
    if isMade { handler() }
  }

  /// Forgets the handler of a holder.
  func forget(_ holder: ObjectIdentifier) { state.withLock { $0.handlers[holder] = nil } }
}
