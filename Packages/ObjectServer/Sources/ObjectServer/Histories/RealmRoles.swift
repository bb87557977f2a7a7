import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// The roles inside one realm, as far as the server makes and asks them: users who connect, classes that are new, and whether
/// somebody may hold the realm whole. Blocks; one thread at a time.
final class RealmRoles: Sendable {
  /// Users are looked up again when this many are known.
  private static let mostUsers = 100_000

  private let history: ServerHistory
  /// The users whose objects were in the realm, with the revision of its permissions then. After a change of these they are looked
  /// up again: anybody may have deleted them, or joined a private role, before the realm was tightened.
  private let connected = Mutex<[String: UInt64?]>([:])
  /// Whether objects were made since ``takeConnected()`` was asked.
  private let hasConnected = Mutex(false)

  init(_ history: ServerHistory) { self.history = history }

  /// Prepares the realm for a scan of a user.
  ///
  /// - Throws: ``SyncProtocol/SessionFailure`` when the user may not hold the realm whole, or when its classes of permissions
  ///   are none; the errors of the store.
  func prepare(for request: DownloadScanRequest) throws {
    guard let access = request.access else { return }
    guard request.view != nil else {
      guard try history.mayHoldWhole(access) else { throw Self.wholeRealmRefusal }
      return
    }
    try connect(access)
  }

  /// Makes the objects of a user in a realm with roles. Clients that name the realm open the permissions of one that has none
  /// yet; those of an app, which know nothing of roles, do not, and are users of a realm that others opened.
  private func connect(_ access: ViewAccess) throws {
    let revision = history.permissionRevision
    guard access.user != Accounts.administratorTokenUser.rawValue,
      connected.withLock({ $0[access.user].map { $0 != revision } ?? true })
    else { return }
    do {
      guard try access.followsLinks || history.hasPermissions() else { return }
      if try history.connect(access) { hasConnected.withLock { $0 = true } }
    } catch let error as RecordStoreError where error.code == .schemaMismatch {
      throw SessionFailure(
        .permissionDenied,
        "the realm declares a class of permissions differently and cannot be opened by queries: \(error)")
    }
    connected.withLock { users in
      if users.count >= Self.mostUsers { users = [:] }
      users.updateValue(revision, forKey: access.user)
    }
  }

  /// Whether objects were made since the last call: the history grew without an upload.
  func takeConnected() -> Bool {
    hasConnected.withLock { value in
      defer { value = false }
      return value
    }
  }

  /// The refusal of a session that would hold the whole realm.
  static let wholeRealmRefusal = SessionFailure(
    .permissionDenied,
    "the permissions inside this realm bound the user, who can open it by queries only (fullSynchronization: false)")
}
