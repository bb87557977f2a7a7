public import ChatCore
import CommandLineKit
import RealmSwift
import Transport

/// Opens the realms of the user who is logged in, and logs users in and out.
///
/// One process works with one server: `SyncManager.shared` keeps its users and sessions. Used by one thread.
public final class RealmBackend: ChatBackend {
  private let options: BackendOptions
  private let folder: StateFolder

  /// A backend over the data folder that the options mean, which is made if it is missing.
  ///
  /// - Throws: `CommandFailure` when the folder cannot be made.
  public init(_ options: BackendOptions) throws {
    self.options = options
    folder = try StateFolder(options)
    // The screen belongs to the app.
    SyncManager.shared.logLevel = .off
  }

  /// The server that a text means, as the one that this process works with. Without a scheme it is taken for http.
  private func server(_ text: String) throws -> NetworkURL {
    let server: NetworkURL
    do { server = try NetworkURL(text.contains("://") ? text : "http://" + text) } catch {
      throw CommandFailure(
        "'\(text)' is not the address of a server: \(error.message)", remedy: "give one such as http://localhost:9080")
    }
    SyncManager.shared.rootDirectory = folder.syncFolder(of: server)
    if let path = options.certificates {
      do { try SyncManager.shared.pinCertificate(path, of: server.host) } catch let error as SyncAuthError {
        throw CommandFailure(error.message, remedy: error.remedy)
      }
    }
    return server
  }

  /// Server and user for a login: those of the options, else those of the last login.
  private func loginTarget() throws -> (server: String, user: String) {
    let login = try ChatLogin.load(folder)
    guard let server = options.server ?? login.server else {
      throw CommandFailure("no server is named", remedy: "give '--server URL', such as http://localhost:9080")
    }
    guard let user = options.user ?? login.user else {
      throw CommandFailure("no user is named", remedy: "give '--user NAME'")
    }
    return (server, user)
  }

  /// Whether options or an earlier login name a server and a user.
  ///
  /// - Throws: `CommandFailure` naming what is missing.
  public func checkLogin() throws { _ = try loginTarget() }

  /// Logs in and remembers it.
  ///
  /// - Throws: `CommandFailure` with the server's reason.
  public func login(password: String, register: Bool) throws -> String {
    let (address, name) = try loginTarget()
    let account = try Account.logIn(name, password: password, register: register, at: server(address))
    try ChatLogin.change(folder) { ($0.server, $0.user, $0.userId) = (address, name, account.id) }
    return account.text
  }

  /// Forgets the login on this machine.
  ///
  /// - Throws: `CommandFailure` when nobody is logged in.
  public func logout() throws {
    let login = try ChatLogin.load(folder)
    guard let address = login.server, let id = login.userId else { throw CommandFailure("nobody is logged in") }
    _ = try server(address)
    try Account.logOut(id)
    try ChatLogin.change(folder) { ($0.user, $0.userId) = (nil, nil) }
  }

  /// Switches syncing off or on, for all processes with the same data folder.
  ///
  /// - Throws: `CommandFailure` when that cannot be remembered.
  public func setOffline(_ isOffline: Bool) throws { try ChatLogin.change(folder) { $0.isOffline = isOffline } }

  /// Opens the realms of the user.
  ///
  /// - Throws: `CommandFailure` with the reason and what helps.
  public func open() throws -> any ChatStore {
    let login = try ChatLogin.load(folder)
    guard let address = options.server ?? login.server, let name = options.user ?? login.user else {
      throw CommandFailure("nobody is logged in", remedy: "run 'chat login --server URL --user NAME'")
    }
    guard let account = Account.known(name, at: try server(address)) else {
      throw CommandFailure(
        "\(name) is not logged in to \(address)", remedy: "run 'chat login --server \(address) --user \(name)'")
    }
    return try open(account)
  }

  private func open(_ account: Account) throws -> RealmChatStore {
    func configuration(_ path: String, full: Bool) throws -> Realm.Configuration {
      var configuration = try account.configuration(of: path, fullSynchronization: full)
      configuration.fileURL = try folder.realm(server: account.server, user: account.id, path: path)
      return configuration
    }
    let configurations = ChatConfigurations(
      rooms: try configuration(ChatConfigurations.roomsPath, full: false),
      directory: try configuration(ChatConfigurations.directoryPath, full: true),
      settings: try configuration(ChatConfigurations.settingsPath(of: account.id), full: true),
      outbox: Realm.Configuration(
        fileURL: try folder.realm(server: account.server, user: account.id, path: "outbox")))
    let refusals = RefusalLog()
    SyncManager.shared.errorHandler = { error, _ in refusals.note(error) }
    do {
      return try RealmChatStore(
        configurations, me: ChatCore.Person(id: account.id, name: account.name), account: account, folder: folder,
        refusals: refusals)
    } catch let error as Realm.Error {
      throw CommandFailure(
        "the rooms cannot be opened: \(error.message)",
        remedy: "move the files in '\(folder.path)/realms' away, and the rooms come back from the server")
    } catch let error as TransportError {
      throw CommandFailure("cannot start the network: \(error.message)", remedy: "close programs, or raise 'ulimit -n'")
    }
  }
}
