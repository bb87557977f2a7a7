import Foundation
public import ObjectStore

/// The treatment of a client file that the server cannot continue: the server was restored from a backup, has trimmed
/// the history that the client needs, or refuses an upload.
///
///     let configuration = user.configuration(
///       realmURL: url, fullSynchronization: true,
///       clientResetMode: .recoverUnsyncedChanges(afterReset: { before, after in … }))
///
/// In every mode but `manual` the realm stays open: its objects change as after any other transaction. Blocks are
/// called on a background thread: before the reset with the frozen realm of the state that was, after it with that and
/// a live one.
@frozen public enum ClientResetMode: Sendable {
  /// A block that is called before a reset with the state that was, frozen.
  public typealias BeforeBlock = @Sendable (_ before: Realm) -> Void
  /// A block that is called after a reset with the state that was, frozen, and the realm as it is.
  public typealias AfterBlock = @Sendable (_ before: Realm, _ after: Realm) -> Void

  /// The application decides: `errorHandler`, or else the handler of the manager, gets the error with the path of a
  /// backup and a token for ``SyncSession/immediatelyHandleError(_:)``.
  case manual(errorHandler: (@Sendable (SyncError, SyncSession?) -> Void)? = nil)
  /// Changes that the server does not have are dropped, and written to a file for people.
  case discardUnsyncedChanges(beforeReset: BeforeBlock? = nil, afterReset: AfterBlock? = nil)
  /// Changes that the server does not have are replayed on its state. When that is impossible, as in `manual`.
  case recoverUnsyncedChanges(beforeReset: BeforeBlock? = nil, afterReset: AfterBlock? = nil)
  /// As `recoverUnsyncedChanges`; when that is impossible, as `discardUnsyncedChanges`.
  case recoverOrDiscardUnsyncedChanges(beforeReset: BeforeBlock? = nil, afterReset: AfterBlock? = nil)

  /// The older name of `discardUnsyncedChanges`.
  @available(*, deprecated, renamed: "discardUnsyncedChanges(beforeReset:afterReset:)")
  public static func discardLocal(_ before: BeforeBlock? = nil, _ after: AfterBlock? = nil) -> ClientResetMode {
    .discardUnsyncedChanges(beforeReset: before, afterReset: after)
  }
}
