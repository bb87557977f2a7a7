import ChangesetOT
import SyncProtocol

/// What a session needs of a client file. Called in the file's queue, except for ``observeCommits(_:)``.
protocol SyncedFile: Sendable {
  /// What the file has stored.
  func state() throws -> FileState
  /// Stores the ident that the server allocated, durably; gives the newest version.
  func storeFileIdent(_ file: SaltedFileIdent) throws -> ClientVersion
  /// The changesets to upload after a cursor.
  func scan(_ request: UploadScanRequest) throws -> UploadScan
  /// Merges and applies what the server sent, and stores the progress, durably; gives the newest version.
  func integrate(_ message: DownloadMessage) throws -> ClientVersion
  /// Local changesets that the server has not acknowledged.
  func pendingCount() throws -> Int
  /// Calls `handler` with the newest version after every commit of any process, on any thread, until the token ends.
  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) throws -> any Sendable
  /// The path of the lock that lets one process sync; nil for files that only this process has.
  var lockPath: String? { get }
  /// What went wrong, as the protocol tells it to the server.
  func code(for error: any Error) -> ProtocolErrorCode
}

/// What a client file has stored.
struct FileState: Hashable, Sendable {
  var file: SaltedFileIdent
  var progress: SyncProgress
  var newest: ClientVersion
  var pendingUploads: Int
}
