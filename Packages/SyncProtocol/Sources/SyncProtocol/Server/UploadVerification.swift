import ChangesetOT

/// The checks of UPLOAD, as a pure value: whether an UPLOAD fits those before it, and which of its entries are new.
///
/// Entries that the server has are skipped, not refused: a client that lost an acknowledgement sends them again.
public struct UploadVerification: Hashable, Sendable {
  /// The client file.
  public let file: FileIdent
  /// The last upload that is integrated or queued for integration.
  public private(set) var threshold: UploadCursor
  /// The progress of the previous UPLOAD of the session.
  public private(set) var previous: UploadCursor
  /// The locked version of the previous UPLOAD.
  public private(set) var locked: ServerVersion
  /// The client version at which the session resumed; entries must be beyond it.
  private let floor: ClientVersion

  /// The state right after IDENT.
  public init(file: FileIdent, record: ClientFileRecord, resumed: DownloadCursor) {
    self.file = file
    threshold = record.upload
    previous = .zero
    locked = .zero
    floor = resumed.client
  }

  /// Checks an UPLOAD; later ones must follow it.
  ///
  /// - Parameter sent: the server version up to which the client has the history.
  /// - Returns: the new entries, to be integrated.
  /// - Throws: ``SessionFailure`` 209, 210 or 216 when the UPLOAD contradicts those before it; the value is then unchanged.
  /// - Complexity: O(*n*) in the number of entries.
  public mutating func accept(
    _ message: UploadMessage, sent: ServerVersion
  ) throws(SessionFailure) -> UploadBatch {
    let progress = message.progress
    guard progress.client >= previous.client else {
      throw SessionFailure(.badClientVersion, "upload progress went back to client version \(progress.client.rawValue)")
    }
    guard progress.server >= previous.server, progress.server <= sent else {
      throw SessionFailure(.badServerVersion, "upload progress names server version \(progress.server.rawValue)")
    }
    guard progress.client != .zero || progress.server == .zero, Self.isMonotonic(from: previous, to: progress) else {
      throw SessionFailure(.badServerVersion, "upload progress contradicts itself")
    }
    guard message.lockedServerVersion >= locked, message.lockedServerVersion <= sent else {
      throw SessionFailure(.badServerVersion, "locked server version \(message.lockedServerVersion.rawValue)")
    }
    try check(message.entries, upTo: progress)
    var fresh = message.entries.drop { $0.cursor.client <= threshold.client }
    if let first = fresh.first, first.cursor.server < threshold.server {
      throw SessionFailure(.badServerVersion, "an entry is based on history that the client gave up")
    }
    for index in fresh.indices { fresh[index].origin = file }
    if progress.client > threshold.client { threshold = progress }
    previous = progress
    locked = message.lockedServerVersion
    return UploadBatch(file: file, progress: threshold, lockedServerVersion: locked, entries: Array(fresh))
  }

  private func check(_ entries: [UploadEntry], upTo progress: UploadCursor) throws(SessionFailure) {
    var last = UploadCursor(client: max(previous.client, floor), server: previous.server)
    for entry in entries {
      let cursor = entry.cursor
      guard cursor.client > last.client, cursor.client <= progress.client else {
        throw SessionFailure(.badClientVersion, "entry of client version \(cursor.client.rawValue) is out of order")
      }
      guard cursor.server >= last.server, Self.isMonotonic(from: cursor, to: progress) else {
        throw SessionFailure(
          .badServerVersion, "entry based on server version \(cursor.server.rawValue) is out of order")
      }
      guard entry.origin == .none || entry.origin == file else {
        throw SessionFailure(.badOriginFileIdent, "file \(entry.origin.rawValue) does not belong below the client")
      }
      last = cursor
    }
  }

  /// Whether one cursor can follow the other: a larger client version needs at least the same server version, an equal one
  /// exactly the same.
  static func isMonotonic(from left: UploadCursor, to right: UploadCursor) -> Bool {
    left.client == right.client ? left.server == right.server : left.server <= right.server
  }
}
