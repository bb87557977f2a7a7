import Dispatch
import Synchronization

/// Tells a thread that something has changed; changes that come together count as one.
public final class ChangeSignal: Sendable {
  private let isRaised = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  /// A signal at rest.
  public init() {}

  /// Something has changed. Any thread.
  ///
  /// - Returns: whether it is the first change since the last ``wait()`` or ``take()``.
  @discardableResult
  public func raise() -> Bool {
    let isFirst = isRaised.withLock { isRaised in
      defer { isRaised = true }
      return !isRaised
    }
    if isFirst { semaphore.signal() }
    return isFirst
  }

  /// Waits for a change; returns at once if there was one.
  ///
  /// - Parameter seconds: how long at most; nil for ever.
  /// - Returns: whether there was one.
  @discardableResult
  public func wait(seconds: Double? = nil) -> Bool {
    let deadline = seconds.map { DispatchTime.now() + max(0, $0) } ?? .distantFuture
    guard semaphore.wait(timeout: deadline) == .success else { return false }
    isRaised.withLock { $0 = false }
    return true
  }

  /// Forgets a change without waiting.
  public func take() { wait(seconds: 0) }
}
