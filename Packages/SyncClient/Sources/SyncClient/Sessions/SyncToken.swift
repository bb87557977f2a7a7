import Synchronization

/// Keeps an observation alive; it ends with ``invalidate()`` or when the token is dropped.
public final class SyncToken: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

  /// Ends the observation.
  public func invalidate() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }

  deinit { invalidate() }
}
