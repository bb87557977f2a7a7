import Synchronization

/// Keeps an observation alive; ends it with ``invalidate()`` or when the token is dropped. Safe from any thread.
public final class SyncToken: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

  /// Ends the observation; later calls do nothing. A call of the block that is under way ends after it.
  public func invalidate() {
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }

  deinit { invalidate() }
}
