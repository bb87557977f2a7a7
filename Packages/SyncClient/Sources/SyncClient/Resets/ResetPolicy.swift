/// The mode of a session's resets: ``ClientResetMode`` with its blocks bound to realms.
struct ResetPolicy: Sendable {
  /// The four modes, without blocks.
  enum Way: Hashable, Sendable {
    case manual, discard, recover, recoverOrDiscard
  }

  var way = Way.recover
  /// Whether a copy of the file as it was is kept beside it, whatever the mode.
  var keepsBackup = false
  /// Called in the file's queue before the file changes; the returned block is called after the change.
  var around: (@Sendable () -> (@Sendable () -> Void)?)?
  /// Called with the error of a manual reset, on the client's loop, after the general handlers.
  var manualHandler: (@Sendable (SyncError, SyncSession?) -> Void)?
}
