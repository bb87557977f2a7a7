import ChangesetOT
import RecordStore
import SyncProtocol

extension ResetMachine {
  /// Everything that a reset asks of its session, to be performed in order. Attempts come back with the answer.
  enum Action: Hashable, Sendable {
    // To the session.
    /// Count that one side sent something that does not fit the state of the other.
    case countDivergence
    /// Leave the connection, if the session is on one.
    case leaveConnection
    /// Say that the file is about to be reset, and why.
    case announce(ClientReset.Mode, SyncFailure)
    /// Call ``ResetMachine/delayEnded(_:)`` after this.
    case startDelay(AttemptIdent, Duration)
    /// The session is active again, without an error.
    case reactivate
    /// The file is reset: count it, forget what was sent, and join the connection.
    case finish(recovered: Int, lost: Int)

    // To the file.
    /// Make an empty file; answer ``ResetMachine/freshFileMade(_:)`` or ``ResetMachine/fileFailed(_:message:)``.
    case makeFreshFile(AttemptIdent)
    /// Read the idents; answer ``ResetMachine/incarnationsRead(_:_:on:)`` or ``ResetMachine/fileFailed(_:message:)``.
    case readIncarnations(AttemptIdent)
    /// Take over the fresh file's state, between the application's blocks and after a backup; answer
    /// ``ResetMachine/takenOver(_:recovered:lost:listedIn:)`` or ``ResetMachine/fileFailed(_:message:)``.
    ///
    /// The untold refusals that the application knows nothing of are kept for it in the same commit.
    case takeOver(AttemptIdent, ClientReset, untold: [CompensatingWrite])
    /// Forget the fresh file.
    case dropFreshFile

    // To the child session.
    /// Download into the fresh file; answer ``ResetMachine/childFinished(_:on:)`` or
    /// ``ResetMachine/childFailed(_:_:on:)``.
    case download(AttemptIdent)
    /// Ask what the server has of an ident; answers as of ``download(_:)``.
    case probe(AttemptIdent, SaltedFileIdent)
    /// Try now instead of waiting for the back-off.
    case reconnectChild
    /// Close the child session, if there is one.
    case closeChild

    // To the application.
    /// Report the failure, as any other.
    case report(SyncFailure)
    /// Report a fatal failure with what performs the reset.
    case leaveToApplication(SyncFailure)
    /// Report that local changes could not be kept.
    case reportLoss(SyncFailure, changes: Int, path: String?)
    /// Write into the log why the reset failed.
    case logFailure(String)
  }
}
