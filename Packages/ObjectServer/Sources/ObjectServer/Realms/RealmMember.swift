import ChangesetOT
import Permissions
import SyncProtocol
import Telemetry
import Transport

/// Identifies one session among all sessions of the server.
struct MemberIdent: Hashable, Sendable {
  var connection: ConnectionIdent
  var session: SessionKey

  /// Whether this session is the older one: a repeatable order, unlike that of a dictionary.
  func precedes(_ other: MemberIdent) -> Bool {
    (connection.rawValue, session.generation) < (other.connection.rawValue, other.session.generation)
  }
}

/// A session as its realm knows it.
struct RealmMember: Sendable {
  /// Delivers an event to the session. Called on the loop.
  var deliver: @Sendable (ServerConnection.Event) -> Void
  /// The user's level of access to the realm.
  var level: AccessLevel
  /// The level with the rule that gives it, for the user.
  var rule = ""
  /// The subject of access decisions, kept for when grants change.
  var subject: AccessSubject
  /// Whether the session names its realm by path, as query-based sync of the platform does, instead of by the id of an app.
  var namesRealm = true
  /// The client file; nil until the session is identified. Identified sessions are notified of new history.
  var file: FileIdent?
  /// The scan that follows the last one, which the session will request when the history grows.
  var nextScan: DownloadScanRequest?
  /// Whether the store says which commits concern the session; otherwise it is told of all.
  var isWatched = false
  /// The time of the last scan after which the session was watched.
  var watchedSince = MonotonicInstant.zero
  /// Whether the session stands in the queue of those that may fall behind.
  var isQueued = false
  /// Whether a scan is queued or under way.
  var isScanning = false
}

extension RealmMember {
  /// The user, as far as views and uploads depend on them. A token that the server itself gave for administration has no
  /// objects in realms.
  var access: ViewAccess {
    ViewAccess(
      user: subject.user.rawValue, isAdministrator: subject.isAdministrator,
      tokenBound: Privileges(bound: subject.tokenLevel).rawValue, followsLinks: namesRealm,
      mayHoldWhole: level >= .admin || subject.isAdministrator)
  }
}

/// A request of a session to its realm's files.
enum RealmRequest: Sendable {
  case open
  case allocateFile
  case findFile(ClientIdentMessage)
  case scan(DownloadScanRequest)
  case integrate(UploadBatch)

  /// The upload; nil for other requests.
  var upload: UploadBatch? {
    switch self {
    case .integrate(let batch): batch
    case .open, .allocateFile, .findFile, .scan: nil
    }
  }

  var isUpload: Bool { upload != nil }
  /// The weight of the upload in budgets, in bytes.
  var uploadBytes: Int { upload?.weight ?? 0 }
  /// The number of uploaded changesets.
  var uploadCount: Int { upload?.entries.count ?? 0 }
}

extension DownloadScanRequest {
  /// The request that probably follows a scan; nil while a bootstrap is under way, which is read only when it is asked for.
  func following(_ scan: DownloadScan) -> DownloadScanRequest? {
    guard scan.batch?.state != .moreToCome else { return nil }
    var next = self
    next.from = scan.progress.download
    next.view = view.map { ViewRequest(held: $0.wanted, wanted: $0.wanted) }
    return next
  }
}
