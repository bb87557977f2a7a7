import RecordStore
import SyncProtocol

/// The state of a session in one value, for a status line.
///
///     session.status.summary     // "connected, 2 changes to send"
public struct SyncStatus: Sendable {
  /// Whether there is a connection.
  public var connection = SyncSession.ConnectionState.disconnected
  /// Whether the session takes part.
  public var state = SyncSession.State.active
  /// Whether another process syncs the file; this one takes over when that process ends.
  public var isSyncedElsewhere = false
  /// Local transactions without an acknowledgement of the server.
  public var pendingUploads = 0
  /// The size of these transactions in bytes, sent or not.
  public var pendingUploadBytes = 0
  /// Bytes left to download, by the server's account; an estimate where it tells the part that is done (queries).
  public var remainingDownloadBytes = 0
  /// Whether everything that was on the server when the session connected is in the file.
  public var isCaughtUp = false
  /// The last error, until data flows again.
  public var lastError: SyncError?
  /// Resets to the server's state since the session began.
  public var resets = 0
  /// The copy of the file as it was before the last reset; nil when none was made: see
  /// ``SyncConfiguration/keepsBackupOfReset``.
  public var backupPath: String?
  /// Changesets of one side that did not fit the state of the other since the session began. Each leads to a reset. 0
  /// as long as neither side is damaged.
  public var divergences = 0
  /// Bytes transferred so far.
  public var transfer = SyncTransfer()
  /// Whether ``pendingUploads`` was counted.
  var areUploadsCounted = false
  /// Whether the server has said on the present connection how much is left to download.
  var isDownloadKnown = false

  mutating func count(_ pending: PendingUploads) {
    areUploadsCounted = true
    pendingUploads = pending.changesets
    pendingUploadBytes = pending.bytes
  }

  /// A few words for people.
  public var summary: String {
    var words: [String] = []
    switch state {
    case .inactive: words.append("offline")
    case .invalid: words.append("stopped")
    case .active: words.append(isSyncedElsewhere ? "synced by another process" : connection.rawValue)
    }
    if pendingUploads > 0 { words.append("\(pendingUploads) \(pendingUploads == 1 ? "change" : "changes") to send") }
    if remainingDownloadBytes > 0 { words.append("\(remainingDownloadBytes) bytes to receive") }
    return words.joined(separator: ", ")
  }
}

/// Bytes of changesets that went each way in this process.
public struct SyncTransfer: Hashable, Sendable {
  /// Received and integrated.
  public var downloaded = 0
  /// Sent and acknowledged.
  public var uploaded = 0
  /// Sent and not yet acknowledged.
  public var unacknowledged = 0
}
