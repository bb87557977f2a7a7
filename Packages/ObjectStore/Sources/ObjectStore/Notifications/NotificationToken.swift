import Synchronization

/// The registration of a notification handler, which ends when the token is released or invalidated. Any thread may do
/// either.
public final class NotificationToken: Sendable {
  private enum State: @unchecked Sendable {
    // @unchecked: the closure is called once, by the thread that invalidates; it removes the observer where the view is
    // confined to, or schedules that there.
    case valid(end: (() -> Void)?)
    case invalid
  }
  private let state: Mutex<State>

  /// A token without a registration.
  public convenience init() { self.init(end: nil) }

  init(end: (() -> Void)?) { state = Mutex(.valid(end: end)) }

  /// Sets the closure that ends the registration.
  ///
  /// - Returns: whether the token is still valid; otherwise nothing is set.
  func begin(_ end: @escaping () -> Void) -> Bool {
    let next = State.valid(end: end)
    return state.withLock { state in
      guard case .valid = state else { return false }
      state = next
      return true
    }
  }

  var isValid: Bool { state.withLock { if case .valid = $0 { true } else { false } } }

  /// Ends the registration.
  ///
  /// - Returns: whether it was valid until now.
  @discardableResult
  public func invalidate() -> Bool {
    let ended = state.withLock { state in
      defer { state = .invalid }
      return state
    }
    guard case .valid(let end) = ended else { return false }
    end?()
    return true
  }

  deinit { invalidate() }
}
