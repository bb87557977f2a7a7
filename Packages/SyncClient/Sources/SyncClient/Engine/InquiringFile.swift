import ChangesetOT
import SyncProtocol
import Synchronization

/// No file, but an ident: binds it as if nothing were downloaded, to hear what the server has of it.
final class InquiringFile: SyncedFile {
  private let ident: SaltedFileIdent
  private let heard = Mutex(ClientVersion.zero)

  init(_ ident: SaltedFileIdent) { self.ident = ident }

  /// What the server acknowledged of the file.
  var acknowledged: ClientVersion { heard.withLock { $0 } }

  /// Whatever the server acknowledges is not beyond it.
  private static let newest = ClientVersion(UInt64(Int64.max))

  func state() -> FileState {
    FileState(file: ident, progress: SyncProgress(), newest: Self.newest, pendingUploads: 0)
  }

  func integrate(_ message: DownloadMessage) -> ClientVersion {
    heard.withLock { $0 = max($0, message.progress.upload.client) }
    return Self.newest
  }

  func scan(_ request: HistoryScanRequest) -> SyncProtocol.HistoryScan {
    SyncProtocol.HistoryScan(entries: [], progress: request.after, lockedServerVersion: .zero)
  }

  func storeFileIdent(_ file: SaltedFileIdent) -> ClientVersion { Self.newest }
  func pendingCount() -> Int { 0 }
  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) -> any Sendable { () }
  var lockPath: String? { nil }
  func code(for error: any Error) -> ProtocolErrorCode { .otherSessionError }
}
