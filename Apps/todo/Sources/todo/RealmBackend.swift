import AuthClient
import CommandLineKit
import Foundation
import ObjectStore
import Permissions
import SyncClient
import TodoCore
import TodoRealm
import Transport
import TransportReal

/// Opens the lists that the options of a command line mean, and logs users in and out.
final class RealmBackend: TodoBackend {
  private let options: BackendOptions
  private let folder: StateFolder
  private let network: RealNetwork

  init(_ options: BackendOptions) throws {
    self.options = options
    folder = try StateFolder(options)
    do {
      network = RealNetwork(
        loop: try EventLoop(name: "todo-sync"), proxies: ProxySettings(environment: ProcessInfo.processInfo.environment)
      )
    } catch {
      throw CommandFailure("cannot start the network: \(error.message)", remedy: "close programs, or raise 'ulimit -n'")
    }
  }

  private func settings() throws -> Settings { try Settings.load(folder) }

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

  func checkLogin() throws { _ = try loginTarget() }

  func login(password: String, register: Bool) throws -> String {
    let (server, user) = try loginTarget()
    let accounts = try Accounts(server: server, folder: folder, network: network)
    let account = try accounts.login(user, password: password, register: register)
    var settings = try settings()
    settings.server = server
    settings.user = user
    settings.userId = account.id.rawValue
    try settings.save(folder)
    try takeLocalLists(to: account, accounts)
    return account.text
  }

  func logout() throws {
    var settings = try settings()
    guard let server = settings.server, let id = settings.userId else {
      throw CommandFailure("nobody is logged in")
    }
    try Accounts(server: server, folder: folder, network: network).logout(id)
    (settings.user, settings.userId) = (nil, nil)
    try settings.save(folder)
  }

  var isOffline: Bool { (try? settings().isOffline) ?? false }

  func setOffline(_ isOffline: Bool) throws {
    var settings = try settings()
    settings.isOffline = isOffline
    try settings.save(folder)
  }

  // MARK: Lists

  func open(listsOf owner: String?) throws -> any SyncedStore {
    let settings = try settings()
    let server = options.server ?? settings.server
    guard let server, let user = options.user ?? settings.user else {
      guard owner == nil else {
        throw CommandFailure("nobody is logged in", remedy: "run 'todo login --server URL --user NAME'")
      }
      return try openLocal()
    }
    let accounts = try Accounts(server: server, folder: folder, network: network)
    guard let account = accounts.account(named: user) else {
      throw CommandFailure(
        "\(user) is not logged in to \(server)", remedy: "run 'todo login --server \(server) --user \(user)'")
    }
    return try open(try path(of: owner, for: account, accounts), for: account, accounts)
  }

  private func openLocal() throws -> SyncedRealmStore {
    SyncedRealmStore(try lists(in: folder.localRealm(), isSynced: false), folder: folder, link: nil)
  }

  /// The path of the lists of the user, or of another user who shared theirs.
  private func path(of owner: String?, for account: Accounts.Account, _ accounts: Accounts) throws -> String {
    guard let owner, owner != account.name, owner != account.id.rawValue else {
      return ListsPath.path(id: account.id.rawValue, name: account.name)
    }
    var settings = try settings()
    let key = account.text + " " + owner
    if let known = settings.sharedPaths?[key] { return known }
    guard !settings.isOffline else {
      throw CommandFailure("the lists of \(owner) are not on this machine yet", remedy: "run 'todo online' first")
    }
    guard let path = ListsPath.path(of: owner, among: try accounts.granted(to: account.id)) else {
      throw CommandFailure(
        "\(owner) has not shared lists with \(account.name)",
        remedy: "ask \(owner) to run 'todo share \(account.name)'")
    }
    settings.sharedPaths = (settings.sharedPaths ?? [:]).merging([key: path]) { _, new in new }
    try settings.save(folder)
    return path
  }

  private func open(_ path: String, for account: Accounts.Account, _ accounts: Accounts) throws -> SyncedRealmStore {
    let name = try folder.realm(server: account.server.authority, user: account.id.rawValue, path: path)
    let lists = try lists(in: name, isSynced: true)
    var environment = SyncEnvironment(network: network)
    // Somebody looks at the screen: a server that is back is to be found within seconds, not after the five minutes
    // that clients without a screen may wait.
    environment.timing.backoff.maximum = .seconds(8)
    let client = SyncClient(environment)
    let url = NetworkURL(
      scheme: account.server.scheme.isSecure ? .wss : .ws, host: account.server.host, port: account.server.port,
      target: "/realm-sync")
    let target = SyncTarget(server: url, path: path, user: account.id.rawValue)
    let tokens = AuthTokenSource(auth: accounts.client, user: account.id, scheduler: network.scheduler)
    let access = try accessBook(path, for: account, accounts)
    let session = client.open(lists.file, at: target, tokens: tokens)
    session.onError { error, _ in access.heard(error) }
    let link = SyncLink(client: client, session: session, accounts: accounts, account: account, access: access)
    return SyncedRealmStore(lists, folder: folder, link: link)
  }

  private func lists(in file: URL, isSynced: Bool) throws -> RealmTodoStore {
    do {
      return try RealmTodoStore(path: file.path, isSynced: isSynced)
    } catch let error as Realm.Error {
      throw CommandFailure(
        "the lists in '\(file.path)' cannot be opened: \(error.message)",
        remedy: isSynced ? "move the file away, and the lists come back from the server" : nil)
    }
  }

  /// What the user may do with lists; their own they may share.
  private func accessBook(_ path: String, for account: Accounts.Account, _ accounts: Accounts) throws -> AccessBook {
    guard path != ListsPath.path(id: account.id.rawValue, name: account.name) else {
      return AccessBook(user: account.name, place: path, known: .manage, ask: { .manage }, remember: { _ in })
    }
    let (folder, key) = (folder, account.text + " " + path)
    let known = try settings().accessLevels?[key].flatMap(Access.init(rawValue:))
    let owner = path.split(separator: "/").last.map(String.init) ?? path
    return AccessBook(user: account.name, place: "\(owner)'s lists", known: known) {
      try accounts.access(to: path, of: account)
    } remember: { level in
      guard var settings = try? Settings.load(folder), settings.accessLevels?[key] != level.rawValue else { return }
      settings.accessLevels = (settings.accessLevels ?? [:]).merging([key: level.rawValue]) { _, new in new }
      try? settings.save(folder)
    }
  }

  /// Lists made before the first login go along.
  private func takeLocalLists(to account: Accounts.Account, _ accounts: Accounts) throws {
    guard FileManager.default.fileExists(atPath: try folder.localRealm().path) else { return }
    let local = try openLocal()
    defer { local.close() }
    let board = try local.board()
    guard !board.lists.isEmpty else { return }
    let path = ListsPath.path(id: account.id.rawValue, name: account.name)
    let synced = try open(path, for: account, accounts)
    defer { synced.close() }
    // The server's lists first, so that lists of one name become one.
    _ = synced.wait(for: .download, seconds: 10, isPatient: false)
    let known = try synced.board()
    let edits = board.lists.flatMap { list -> [Edit] in
      if let same = known.list(named: list.name) {
        return [.createItems(list.items, list: same.key, at: .last)]
      }
      var random = SystemRandomNumberGenerator()
      let new = ItemList(
        key: Keys.list(named: list.name, on: known, using: &random), name: list.name, order: list.order)
      return [.createList(new), .createItems(list.items, list: new.key, at: .last)]
    }
    _ = try synced.perform(.several(edits))
    _ = try local.perform(.several(board.lists.map { .deleteList(key: $0.key) }))
    _ = synced.wait(for: .upload, seconds: 10, isPatient: false)
  }
}
