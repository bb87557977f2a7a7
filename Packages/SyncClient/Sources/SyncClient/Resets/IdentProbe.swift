import ChangesetOT
import RecordStore
import SyncProtocol

/// A file ident without a file: a session over it asks how much the server has of the ident, and makes the server
/// retire it.
///
/// The probe claims that nothing is downloaded and everything integrated. No server that tells what it has admits such
/// a claim; its refusal names the last version that it integrated under the ident, and uploads under it are refused
/// from then on. An admitted claim would be harmful: the server would note that the ident starts from a newer state
/// than the file has, and would leave out the difference if the reset were cancelled and the file went on with the
/// ident.
struct IdentProbe: SyncedFile {
  let ident: SaltedFileIdent

  /// The largest version that there is.
  private static let newest = ClientVersion(UInt64(Int64.max))

  func state() -> FileState {
    var claim = SyncProgress()
    claim.download.client = Self.newest
    return FileState(file: ident, progress: claim, newest: Self.newest, pendingUploads: .none)
  }

  func scan(_ request: UploadScanRequest) throws -> UploadScan {
    UploadScan(entries: [], progress: request.after, lockedServerVersion: .zero)
  }

  func integrate(_ message: DownloadMessage, reports: [SyncFailure]) -> IntegratedBatch {
    IntegratedBatch(newest: Self.newest, progress: message.progress)
  }
  func given(_ report: SyncFailure) {}
  func storeFileIdent(_ file: SaltedFileIdent) -> ClientVersion { Self.newest }
  func pendingUploads() -> PendingUploads { .none }
  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) -> any Sendable { () }
  var lockPath: String? { nil }
  func code(for error: any Error) -> ProtocolErrorCode { .otherSessionError }
}
