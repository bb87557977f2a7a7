import CommandLineKit
import RealmSwift
public import TodoCore
import Transport

/// Opens the lists that the options of a command line mean, and logs users in and out.
///
/// One process works with one server: `SyncManager.shared` keeps its users and sessions. Used by one thread.
public final class RealmBackend: TodoBackend {
  private let options: BackendOptions
  private let folder: StateFolder

  static var nobodyIsLoggedIn: CommandFailure {
    CommandFailure("nobody is logged in", remedy: "run 'todo login --server URL --user NAME'")
  }

  /// A backend over the data folder that the options mean, which is made if it is missing.
  ///
  /// - Throws: `CommandFailure` when the folder cannot be made.
  public init(_ options: BackendOptions) throws {
    self.options = options
    folder = try StateFolder(options)
    // The screen belongs to the app.
    SyncManager.shared.logLevel = .off
  }

  private func settings() throws -> TodoSettings { try TodoSettings.load(folder) }

  /// The server that a text means, as the one that this process works with.
  private func server(_ text: String) throws -> NetworkURL {
    let server = try ServerAddress.parse(text)
    SyncManager.shared.rootDirectory = try folder.syncFolder(of: server)
    if let path = options.certificates {
      do { try SyncManager.shared.pinCertificate(path, of: server.host) } catch let error as SyncAuthError {
        throw CommandFailure(error.message, remedy: error.remedy)
      }
    }
    return server
  }

  // MARK: Users

  /// Server and user for a login: those of the options, else those of the last login.
  private func loginTarget() throws -> (server: String, user: String) {
    let settings = try settings()
    guard let server = options.server ?? settings.server else {
      throw CommandFailure("no server is named", remedy: "give '--server URL', such as http://localhost:9080")
    }
    guard let user = options.user ?? settings.user else {
      throw CommandFailure("no user is named", remedy: "give '--user NAME'")
    }
    return (server, user)
  }

  /// Whether options or an earlier login name a server and a user.
  ///
  /// - Throws: `CommandFailure` naming what is missing.
  public func checkLogin() throws { _ = try loginTarget() }

  /// Logs in, remembers it, and moves lists made before to the account.
  ///
  /// - Throws: `CommandFailure` with the server's reason.
  public func login(password: String, register: Bool) throws -> String {
    let (address, name) = try loginTarget()
    let account = try Account.logIn(name, password: password, register: register, at: server(address))
    try TodoSettings.change(folder) { ($0.server, $0.user, $0.userId) = (address, name, account.id) }
    try takeLocalLists(to: account)
    return account.text
  }

  /// Forgets the login on this machine.
  ///
  /// - Throws: `CommandFailure` when nobody is logged in.
  public func logout() throws {
    let settings = try settings()
    guard let address = settings.server, let id = settings.userId else { throw CommandFailure("nobody is logged in") }
    _ = try server(address)
    try Account.logOut(id)
    try TodoSettings.change(folder) { ($0.user, $0.userId) = (nil, nil) }
  }

  /// Whether syncing is switched off.
  public var isOffline: Bool { (try? settings().isOffline) ?? false }

  /// Switches syncing off or on, for all processes with the same data folder.
  ///
  /// - Throws: `CommandFailure` when the settings cannot be written.
  public func setOffline(_ isOffline: Bool) throws { try TodoSettings.change(folder) { $0.isOffline = isOffline } }

  // MARK: Lists

  /// Opens the user's lists, or those of another user who shared them.
  ///
  /// - Throws: `CommandFailure` with the reason and what helps.
  public func open(listsOf owner: String?) throws -> any SyncedStore {
    let settings = try settings()
    guard let address = options.server ?? settings.server, let name = options.user ?? settings.user else {
      guard owner == nil else { throw Self.nobodyIsLoggedIn }
      return try openLocal()
    }
    guard let account = Account.known(name, at: try server(address)) else {
      throw CommandFailure(
        "\(name) is not logged in to \(address)", remedy: "run 'todo login --server \(address) --user \(name)'")
    }
    return try open(try path(of: owner, for: account), for: account)
  }

  /// The path of the lists of the user, or of another user who shared theirs.
  private func path(of owner: String?, for account: Account) throws -> String {
    guard let owner, owner != account.name, owner != account.id else { return account.listsPath }
    let settings = try settings()
    let key = account.text + " " + owner
    if let known = settings.sharedPaths?[key] { return known }
    guard !settings.isOffline else {
      throw CommandFailure("the lists of \(owner) are not on this machine yet", remedy: "run 'todo online' first")
    }
    guard let path = ListsPath.path(of: owner, among: try account.grantedPaths()) else {
      throw CommandFailure(
        "\(owner) has not shared lists with \(account.name)",
        remedy: "ask \(owner) to run 'todo share \(account.name)'")
    }
    try TodoSettings.change(folder) { $0.sharedPaths = ($0.sharedPaths ?? [:]).merging([key: path]) { $1 } }
    return path
  }

  private func openLocal() throws -> SyncedRealmStore {
    let configuration = Realm.Configuration(fileURL: try folder.localRealm())
    return SyncedRealmStore(try lists(configuration, remedy: nil), folder: folder, access: nil)
  }

  private func open(_ path: String, for account: Account) throws -> SyncedRealmStore {
    let access = try AccessMonitor(account, path: path, folder: folder)
    SyncManager.shared.errorHandler = { error, _ in access.note(error) }
    var configuration = try account.configuration(of: path)
    configuration.fileURL = try folder.realm(server: account.server, user: account.id, path: path)
    let lists = try lists(configuration, remedy: "move the file away, and the lists come back from the server")
    return SyncedRealmStore(lists, folder: folder, access: access)
  }

  private func lists(_ configuration: Realm.Configuration, remedy: String?) throws -> RealmTodoStore {
    do {
      return try RealmTodoStore(configuration)
    } catch let error as Realm.Error {
      throw CommandFailure(
        "the lists in '\(configuration.fileURL?.path ?? "")' cannot be opened: \(error.message)", remedy: remedy)
    } catch let error as TransportError {
      throw CommandFailure("cannot start the network: \(error.message)", remedy: "close programs, or raise 'ulimit -n'")
    }
  }

  /// Moves lists made before the first login to the account.
  private func takeLocalLists(to account: Account) throws {
    guard folder.hasLocalRealm else { return }
    let local = try openLocal()
    defer { local.close() }
    let board = try local.board()
    guard !board.lists.isEmpty else { return }
    let synced = try open(account.listsPath, for: account)
    defer { synced.close() }
    // The server's lists first, so that lists of one name become one.
    _ = synced.wait(for: .download, seconds: 10, isPatient: false)
    var random = SystemRandomNumberGenerator()
    _ = try synced.perform(ImportEdit.merging(board, into: synced.board(), using: &random))
    _ = try local.perform(.several(board.lists.map { .deleteList(key: $0.key) }))
    _ = synced.wait(for: .upload, seconds: 10, isPatient: false)
  }
}
