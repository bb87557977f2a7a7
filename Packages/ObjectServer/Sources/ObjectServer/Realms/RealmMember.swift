import ChangesetOT
import Permissions
import SyncProtocol
import Transport

/// Names one session among all sessions of the server.
struct MemberIdent: Hashable, Sendable {
  var connection: ConnectionIdent
  var session: SessionKey

  /// Whether this session is the older one, by connection: the order of dictionaries is not repeatable.
  func precedes(_ other: MemberIdent) -> Bool {
    (connection.rawValue, session.generation) < (other.connection.rawValue, other.session.generation)
  }
}

/// A session as its realm knows it.
struct RealmMember: Sendable {
  /// Where events for the session go. Called on the loop.
  var deliver: @Sendable (ServerConnection.Event) -> Void
  /// What the user may do.
  var level: AccessLevel
  /// Who asks, for decisions to be made again when grants change.
  var subject: AccessSubject
  /// The client file, once identified: from then on the session hears of news.
  var file: FileIdent?
  /// What the session will scan for when there is news: from where its last scan stopped.
  var nextScan: DownloadScanRequest?
  /// Whether the history grew since the last scan that reached its end, and the session was not told.
  var isUntold = false
  /// Whether a scan is queued or under way.
  var isScanning = false
}

/// One thing that a session asks of its realm's files.
enum RealmRequest: Sendable {
  case open
  case allocateFile
  case findFile(ClientIdentMessage)
  case scan(DownloadScanRequest)
  case integrate(UploadBatch)

  var uploadBytes: Int {
    if case .integrate(let batch) = self { return batch.weight }
    return 0
  }

  /// How many changesets it uploads.
  var uploadCount: Int {
    if case .integrate(let batch) = self { return batch.entries.count }
    return 0
  }

  var isUpload: Bool {
    if case .integrate = self { return true }
    return false
  }
}
