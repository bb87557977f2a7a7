import RecordStore
import Synchronization

/// The views that the store of a realm watched when it was closed, for the one that opens its files next. Both use it in the
/// realm's queue, one after the other.
final class SuspendedWatch: Sendable {
  private let views = Mutex<SuspendedViews?>(nil)

  /// Keeps what a store hands over; nil forgets what another one did.
  func keep(_ suspended: SuspendedViews?) { views.withLock { $0 = suspended } }

  /// Takes what is kept.
  func take() -> SuspendedViews? {
    views.withLock { views in
      defer { views = nil }
      return views
    }
  }
}
