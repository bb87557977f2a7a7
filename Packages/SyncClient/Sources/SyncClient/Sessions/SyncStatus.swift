import SyncProtocol

/// How a session stands, as one value: what a status line shows.
///
///     session.status.summary     // "connected, 2 changes to send"
public struct SyncStatus: Sendable {
  /// Whether a connection is there.
  public var connection = SyncSession.ConnectionState.disconnected
  /// Whether the session takes part.
  public var state = SyncSession.State.active
  /// Whether another process syncs the file; this one takes over when that ends.
  public var isSyncedElsewhere = false
  /// Local transactions that the server has not acknowledged.
  public var pendingUploads = 0
  /// Bytes that the server says are left to download.
  public var remainingDownloadBytes = 0
  /// Whether everything that was on the server when the session connected is here.
  public var isCaughtUp = false
  /// The last error, until data flows again.
  public var lastError: SyncError?
  /// How often the file was reset to the server's state since the session began.
  public var resets = 0
  /// How often, since the session began, what one side sent did not fit what the other has: the file and the server had
  /// parted. Each time leads to a reset. 0 as long as neither side is damaged.
  public var divergences = 0
  /// Everything so far.
  public var transfer = SyncTransfer()

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
