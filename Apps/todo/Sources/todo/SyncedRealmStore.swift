import CommandLineKit
import RecordStore
import SyncClient
import TodoCore
import TodoRealm

/// Lists in a realm file, kept in step by a session.
final class SyncedRealmStore: SyncedStore {
  private let lists: RealmTodoStore
  private let folder: StateFolder
  private let link: SyncLink?
  private var tokens: [Any] = []

  /// - Parameter link: nil where nobody is logged in.
  init(_ lists: RealmTodoStore, folder: StateFolder, link: SyncLink?) {
    (self.lists, self.folder, self.link) = (lists, folder, link)
    follow(isOffline: isOffline)
  }

  private var isOffline: Bool { (try? Settings.load(folder).isOffline) ?? false }

  func board() throws -> Board { try lists.board() }
  func perform(_ edit: Edit) throws -> Performed { try lists.perform(edit) }

  var status: StoreStatus {
    guard let link else { return StoreStatus() }
    follow(isOffline: isOffline)
    return link.status(pending: pending, isOffline: isOffline)
  }

  /// Local transactions that the server has not acknowledged.
  private var pending: Int { (try? ClientHistory(lists.file).pendingCount()) ?? 0 }

  func onChange(_ changed: @escaping @Sendable () -> Void) {
    if let token = try? lists.file.observeCommits(changed) { tokens.append(token) }
    if let link { tokens.append(link.session.observe { _ in changed() }) }
    link?.access.onChange(changed)
    // Another process may have switched syncing off or on.
    tokens.append(Settings.watch(folder, changed))
  }

  /// Suspends or resumes the session as the settings say.
  private func follow(isOffline: Bool) {
    guard let link else { return }
    if isOffline { link.session.suspend() } else if link.session.state == .inactive { link.session.resume() }
  }

  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome {
    guard let link, !isOffline else { return .notSyncing }
    let pending: () -> Int = { [self] in self.pending }
    return link.wait(for: direction, seconds: seconds, isPatient: isPatient, pending: pending)
  }

  func setOffline(_ isOffline: Bool) throws {
    var settings = try Settings.load(folder)
    settings.isOffline = isOffline
    try settings.save(folder)
    follow(isOffline: isOffline)
  }

  func accessCheck() -> @Sendable () -> Void {
    guard let access = link?.access, !isOffline else { return {} }
    return { access.check() }
  }

  func retry() { link?.session.reconnect() }

  func sharing() -> @Sendable (String, Access?) throws -> Void {
    guard let link else {
      return { _, _ in
        throw CommandFailure("nobody is logged in", remedy: "run 'todo login --server URL --user NAME'")
      }
    }
    return { [accounts = link.accounts, account = link.account, path = link.session.target.path] other, access in
      try accounts.share(path: path, with: other, access, by: account.id)
    }
  }

  func close() {
    tokens = []
    link?.close()
  }
}
