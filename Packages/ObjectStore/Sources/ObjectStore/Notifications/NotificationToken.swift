import Synchronization

/// Keeps a notification handler registered: no token, no notifications.
public final class NotificationToken: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the closure is called once, on the thread that invalidates; it only takes the observer out of its
    // notifier, or schedules that on the notifier's home.
    var end: (() -> Void)?
    var isValid = true
  }
  private let state: Mutex<State>

  /// A token that keeps nothing registered.
  public convenience init() { self.init(end: nil) }

  init(end: (() -> Void)?) { state = Mutex(State(end: end)) }

  /// Sets what ends the observation, unless it has ended already; false then.
  func begin(_ end: @escaping () -> Void) -> Bool {
    let box = State(end: end)
    return state.withLock { state in
      guard state.isValid else { return false }
      state.end = box.end
      return true
    }
  }

  var isValid: Bool { state.withLock { $0.isValid } }

  /// Ends the observation; returns whether it was still going on.
  @discardableResult
  public func invalidate() -> Bool {
    let ended = state.withLock { state in
      defer { state = State(end: nil, isValid: false) }
      return state
    }
    ended.end?()
    return ended.isValid
  }

  deinit { invalidate() }
}
