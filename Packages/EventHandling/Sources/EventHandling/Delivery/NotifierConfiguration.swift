public import RecordStore

/// The settings of a ``Notifier``.
public struct NotifierConfiguration: Sendable {
  /// The handlers; their names differ.
  public var handlers: [any NotificationHandler]
  /// The folder of the notifier's own files: which handlers are known, and copies of realms. One notifier at a time uses it.
  public var workingDirectory: String
  /// The most realms that are worked on at a time.
  public var parallelism = 8
  /// The calls after the first for one transaction before its realm is quarantined for the handler.
  public var numberOfRetries = 10
  /// The time before the second call; it doubles with each further one.
  public var retryDelay: Duration = .milliseconds(500)
  /// The longest time between two calls.
  public var longestRetryDelay: Duration = .seconds(300)
  /// The history that a realm keeps for a handler that is slow or does not run: beyond it the handler is told the difference to
  /// the present state at once.
  public var budget = FeedBudget()
  /// The most copies of realms, for handlers that need realms; the one that was used least lately is removed first.
  public var maximumReplicas = 64

  /// Settings with these handlers.
  public init(workingDirectory: String, handlers: [any NotificationHandler] = []) {
    self.workingDirectory = workingDirectory
    self.handlers = handlers
  }
}
