import ChangesetOT

/// The upload side of a session on the present connection: from the local history to the next UPLOAD.
struct UploadProgress: Hashable, Sendable {
  /// The preparation of the next UPLOAD.
  enum Preparation: Hashable, Sendable {
    case idle
    /// The file scans its history from the cursor on.
    case scanning(WorkIdent, from: UploadCursor)
    /// The UPLOAD waits for its turn to be sent.
    case ready(UploadMessage)
  }

  /// Whether uploads wait for the first answer to MARK.
  var isHeld: Bool
  var preparation = Preparation.idle
  /// The end of the last scan.
  var scanned: UploadCursor
  /// The version up to which the file has nothing to upload.
  var emptyUpTo = ClientVersion.zero
  /// The newest changeset sent on this connection.
  var lastSent = ClientVersion.zero
  var coalescing = UploadCoalescing()

  /// Nothing sent yet, beginning at a stored cursor.
  init(from cursor: UploadCursor, isHeld: Bool) {
    scanned = cursor
    self.isHeld = isHeld
  }

  /// Whether an UPLOAD waits for its turn to be sent.
  var isReady: Bool { if case .ready = preparation { true } else { false } }

  /// Drops a running scan; its answer will be ignored.
  mutating func cancelScan() { if case .scanning = preparation { preparation = .idle } }
}
