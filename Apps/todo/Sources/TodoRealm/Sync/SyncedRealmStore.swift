import CommandLineKit
import RealmSwift
import TodoCore

/// Lists in a realm, kept in step with a server for a user who is logged in; else local. Used by one thread.
final class SyncedRealmStore: SyncedStore {
  private let lists: RealmTodoStore
  private let folder: StateFolder
  private let access: AccessMonitor?
  private var tokens: [Any] = []
  private var session: SyncSession? { lists.session }

  /// - Parameter access: the user's rights on the server; nil where nobody is logged in.
  init(_ lists: RealmTodoStore, folder: StateFolder, access: AccessMonitor?) {
    (self.lists, self.folder, self.access) = (lists, folder, access)
    follow(isOffline: isOffline)
    // The back-off of a session grows to five minutes: too long for a person in front of a screen.
    if let session { tokens.append(Ticker(seconds: 8) { session.retryIfUnreachable() }) }
  }

  private var isOffline: Bool { (try? TodoSettings.load(folder).isOffline) ?? false }

  func board() throws -> Board { try lists.board() }
  func perform(_ edit: TodoEdit) throws -> Performed { try lists.perform(edit) }

  var status: StoreStatus {
    guard let session, let access else { return StoreStatus() }
    let isOffline = isOffline
    follow(isOffline: isOffline)
    var status = session.storeStatus(isOffline: isOffline)
    status.pendingUploads = lists.pendingUploads()
    status.account = access.account.text
    (status.access, status.refused) = (access.access, access.refused)
    return status
  }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    lists.onChange(changed)
    access?.onChange(changed)
    if let session { tokens.append(session.observe { _ in changed() }) }
    // Another process may have switched syncing off or on.
    tokens.append(TodoSettings.watch(folder, changed))
  }

  /// Suspends or resumes the session as the settings say.
  private func follow(isOffline: Bool) {
    guard let session else { return }
    if isOffline { session.suspend() } else if session.state == .inactive { session.resume() }
  }

  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome {
    guard let session, !isOffline else { return .notSyncing }
    return session.wait(for: direction, seconds: seconds, isPatient: isPatient, pending: lists.pendingUploads)
  }

  func setOffline(_ isOffline: Bool) throws {
    try TodoSettings.change(folder) { $0.isOffline = isOffline }
    follow(isOffline: isOffline)
  }

  func accessCheck() -> @Sendable () -> Void {
    guard let access, !isOffline else { return {} }
    return { access.check() }
  }

  func retry() { session?.reconnect() }

  func sharing() -> @Sendable (String, Access?) throws -> Void {
    guard let access else { return { _, _ in throw RealmBackend.nobodyIsLoggedIn } }
    return { try access.account.share(path: access.path, with: $0, $1) }
  }

  func asking() -> @Sendable () throws -> [ListUser] {
    guard let access else { return { throw RealmBackend.nobodyIsLoggedIn } }
    return { try access.account.users(of: access.path) }
  }

  func close() {
    tokens = []
    session?.close()
  }
}
