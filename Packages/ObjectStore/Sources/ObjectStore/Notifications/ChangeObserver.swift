import StorageEngine

/// Compares the versions of one object or collection, and reports the differences to a handler.
protocol ChangeObserver: AnyObject {
  /// The token that keeps the observer registered.
  var token: NotificationToken? { get set }
  /// Whether no further change can occur; the notifier then drops the observer.
  var isFinished: Bool { get }
  /// Takes a version as seen, without a report.
  func skip(to snapshot: Snapshot)
  /// Reports the changes since the version that was reported or skipped last.
  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges)
}
