import ChangesetOT
import RecordStore
import SyncProtocol

/// A client file that a session syncs. Called in the file's queue, except for ``observeCommits(_:)``.
///
/// Everything that a call stores is durable when it returns.
protocol SyncedFile: Sendable {
  /// Ident, progress and versions as stored.
  func state() throws -> FileState
  /// Stores the ident that the server allocated.
  ///
  /// - Returns: the newest version.
  func storeFileIdent(_ file: SaltedFileIdent) throws -> ClientVersion
  /// The changesets to upload after a cursor.
  func scan(_ request: UploadScanRequest) throws -> UploadScan
  /// Merges and applies a message, stores its progress and keeps the reports that it makes true, in one commit; keeps a
  /// message of an incomplete bootstrap.
  ///
  /// - Returns: the newest version, and the progress as stored.
  func integrate(_ message: DownloadMessage, reports: [SyncFailure]) throws -> IntegratedBatch
  /// Notes that the application has been given a report, and drops it if it is kept.
  func given(_ report: SyncFailure) throws
  /// The local changesets without an acknowledgement.
  func pendingUploads() throws -> PendingUploads
  /// Calls `handler` with the newest version after every commit of any process, on any thread, until the token ends.
  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) throws -> any Sendable
  /// The path of the lock that lets one process sync; nil for files that only this process has.
  var lockPath: String? { get }
  /// Names the file among those of this process that a realm has; nil for the only one.
  var identity: String? { get }
  /// The code by which the protocol tells the server of an error.
  func code(for error: any Error) -> ProtocolErrorCode
}

extension SyncedFile {
  /// The default is ``lockPath``.
  var identity: String? { lockPath }
}

/// The state that a client file has stored.
struct FileState: Hashable, Sendable {
  var file: SaltedFileIdent
  var progress: SyncProgress
  var newest: ClientVersion
  var pendingUploads: PendingUploads
  /// The subscription sets; nil for a file that is synced whole.
  var queries: FileQueries?
  /// The reports that are kept: a killed process has not given them to its application.
  var reports: [SyncFailure] = []
}
