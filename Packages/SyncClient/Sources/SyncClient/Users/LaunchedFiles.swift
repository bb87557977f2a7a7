import RecordStore
import Synchronization

/// The realm files that this process has opened with a sync configuration. Safe from any thread.
final class LaunchedFiles: Sendable {
  static let shared = LaunchedFiles()
  private let locations = Mutex<Set<RealmLocation>>([])

  /// Notes a file.
  ///
  /// - Returns: whether it is new.
  func add(_ file: RealmFile) -> Bool { locations.withLock { $0.insert(file.location).inserted } }
}
