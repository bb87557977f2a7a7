import ObjectStore

/// How a session resets its file: ``ClientResetMode`` without realms, which live above it.
struct ResetPolicy: Sendable {
  enum Way: Hashable, Sendable {
    case manual, discard, recover, recoverOrDiscard
  }

  var way = Way.recover
  /// Called in the file's queue, before the file changes; what it returns is called after.
  var around: (@Sendable () -> (@Sendable () -> Void)?)?
  /// Gets the error of a manual reset in place of the general handlers.
  var manualHandler: (@Sendable (SyncError, SyncSession?) -> Void)?
}
