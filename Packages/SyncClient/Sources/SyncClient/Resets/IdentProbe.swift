import ChangesetOT
import SyncProtocol

/// No file, but an ident: asks what the server has of it, and has the server give it up.
///
/// It claims that nothing is downloaded and yet everything integrated. No server lets that in, and the refusal says how much
/// is integrated; more will not be, under this ident. A claim that is let in would begin a download: the server would note that the ident starts from a newer
/// state than its file has, and leave out what lies between if a reset is called off and the file goes on with the ident.
struct IdentProbe: SyncedFile {
  let ident: SaltedFileIdent

  /// The largest version that there is.
  private static let newest = ClientVersion(UInt64(Int64.max))

  func state() -> FileState {
    var claim = SyncProgress()
    claim.download.client = Self.newest
    return FileState(file: ident, progress: claim, newest: Self.newest, pendingUploads: 0)
  }

  func scan(_ request: UploadScanRequest) throws -> UploadScan {
    UploadScan(entries: [], progress: request.after, lockedServerVersion: .zero)
  }

  func integrate(_ message: DownloadMessage) -> ClientVersion { Self.newest }
  func storeFileIdent(_ file: SaltedFileIdent) -> ClientVersion { Self.newest }
  func pendingCount() -> Int { 0 }
  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) -> any Sendable { () }
  var lockPath: String? { nil }
  func code(for error: any Error) -> ProtocolErrorCode { .otherSessionError }
}
