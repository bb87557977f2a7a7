import CommandLineKit
import RealmSwift
import TodoCore

/// Lists in a realm, and their server where somebody is logged in.
final class SyncedRealmStore: SyncedStore {
  /// The realm on the server.
  struct Remote {
    let account: Account
    let path: String
    let access: AccessMonitor
  }

  private let lists: RealmTodoStore
  private let folder: StateFolder
  private let remote: Remote?
  private var tokens: [Any] = []
  private var session: SyncSession? { lists.session }

  /// - Parameter remote: nil where nobody is logged in.
  init(_ lists: RealmTodoStore, folder: StateFolder, remote: Remote?) {
    (self.lists, self.folder, self.remote) = (lists, folder, remote)
    follow(isOffline: isOffline)
    // The back-off of a session grows to five minutes: too long for a person in front of a screen.
    if let session { tokens.append(Ticker(seconds: 8) { session.retryIfUnreachable() }) }
  }

  private var isOffline: Bool { (try? Settings.load(folder).isOffline) ?? false }

  func board() throws -> Board { try lists.board() }
  func perform(_ edit: Edit) throws -> Performed { try lists.perform(edit) }

  var status: StoreStatus {
    guard let session, let remote else { return StoreStatus() }
    let isOffline = isOffline
    follow(isOffline: isOffline)
    var status = session.storeStatus(isOffline: isOffline)
    status.pendingUploads = lists.pendingUploads()
    status.account = remote.account.text
    (status.access, status.refused) = (remote.access.access, remote.access.refused)
    return status
  }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    lists.onChange(changed)
    remote?.access.onChange(changed)
    if let session { tokens.append(session.observe { _ in changed() }) }
    // Another process may have switched syncing off or on.
    tokens.append(Settings.watch(folder, changed))
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
    try Settings.change(folder) { $0.isOffline = isOffline }
    follow(isOffline: isOffline)
  }

  func accessCheck() -> @Sendable () -> Void {
    guard let access = remote?.access, !isOffline else { return {} }
    return { access.check() }
  }

  func retry() { session?.reconnect() }

  func sharing() -> @Sendable (String, Access?) throws -> Void {
    guard let remote else {
      return { _, _ in throw RealmBackend.nobodyIsLoggedIn }
    }
    return { [account = remote.account, path = remote.path] other, access in
      try account.share(path: path, with: other, access)
    }
  }

  func close() {
    tokens = []
    session?.close()
  }
}
