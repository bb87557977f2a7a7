import CommandLineKit
import RealmSwift
import TodoCore
import Transport

/// A user who is logged in on this machine, and the questions of that user to the server. Used from any thread.
struct Account: Sendable {
  let user: SyncUser
  let server: NetworkURL
  let name: String

  /// The server's name for the user.
  var id: String { user.identity ?? "" }
  /// Such as `ann@localhost:9080`.
  var text: String { "\(name)@\(server.authority)" }
  /// The path of the user's own lists.
  var listsPath: String { ListsPath.path(id: id, name: name) }

  /// The account of a user who is logged in here already; nil for any other.
  static func known(_ name: String, at server: NetworkURL) -> Account? {
    SyncUser.all.values.first { $0.username == name }.map { Account(user: $0, server: server, name: name) }
  }

  /// Logs a user in and remembers that.
  ///
  /// - Throws: `CommandFailure`, as all functions here, with what the server said and what helps.
  static func logIn(_ name: String, password: String, register: Bool, at server: NetworkURL) throws -> Account {
    guard let url = URL(string: "\(server)") else { throw ServerAddress.failure("\(server)", "it is no URL") }
    let credentials: SyncCredentials =
      register
      ? .usernamePasswordCreatingIfMissing(username: name, password: password)
      : .usernamePassword(username: name, password: password)
    let user = try calling { try await SyncUser.logIn(with: credentials, server: url) }
    return Account(user: user, server: server, name: name)
  }

  /// Forgets the login on this machine, and tells the server if it can be reached.
  static func logOut(_ id: String) throws {
    guard let user = SyncUser.all[id] else { return }
    try calling { try await user.logOut() }
  }

  /// Lets another user use a realm of this one; nil takes the right away.
  func share(path: String, with other: String, _ access: Access?) throws {
    let level: SyncAccessLevel =
      switch access {
      case nil: .none
      case .read: .read
      case .write: .write
      case .manage: .manage
      }
    let permission = SyncPermission(realmPath: path, username: other, accessLevel: level)
    try Self.calling { [user] in try await user.apply(permission) }
  }

  /// Those who have access to a realm, and who is connected, as far as the user may know.
  func users(of path: String) throws -> [ListUser] {
    let url = try url(of: path)
    let owner = path.split(separator: "/").first.map(String.init)
    return try Self.calling { [user] in try await user.users(ofRealmAt: url) }.map { other in
      let access: Access? =
        switch other.accessLevel {
        case .read?: .read
        case .write?: .write
        case .admin?: .manage
        case SyncAccessLevel.none?, nil: nil
        }
      return ListUser(
        name: other.identity == "*" ? "everyone" : other.name ?? other.identity, access: access,
        sessions: other.sessions, isSelf: other.identity == id, isOwner: other.identity == owner)
    }
  }

  /// The realms of others that the user may open.
  func grantedPaths() throws -> [String] {
    try permissions().filter { $0.accessLevel > .none }.map(\.path)
  }

  /// The user's right to the realm of another; nil when nothing was granted that names it.
  func access(to path: String) throws -> Access? {
    if user.isAdmin { return .manage }
    return switch try permissions().filter({ $0.path == path }).map(\.accessLevel).max() {
    case .read?: .read
    case .write?: .write
    case .admin?: .manage
    case SyncAccessLevel.none?, nil: nil
    }
  }

  /// The configuration of a realm on the user's server.
  func configuration(of path: String) throws -> Realm.Configuration {
    user.configuration(realmURL: try url(of: path), fullSynchronization: true)
  }

  private func url(of path: String) throws -> URL {
    let scheme = server.scheme.isSecure ? "realms" : "realm"
    let encoded = path.split(separator: "/").map { "/" + PercentCoding.encoded($0) }.joined()
    guard let url = URL(string: "\(scheme)://\(server.authority)\(encoded)") else {
      throw CommandFailure("'\(path)' is not the path of a realm")
    }
    return url
  }

  /// The grants of others to this user.
  private func permissions() throws -> [SyncPermission] {
    let own = "/\(id)/"
    return try Self.calling { [user] in
      try await user.retrievePermissions().filter { $0.identity == user.identity && !$0.path.hasPrefix(own) }
    }
  }

  private static func calling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    do {
      return try Blocking.run(work)
    } catch let error as SyncAuthError {
      throw CommandFailure(
        error.message,
        remedy: error.isServerUntrusted
          ? error.remedy + "; '--ca FILE' names the authority that signed it" : error.remedy)
    } catch let error as AuthError {
      throw CommandFailure(error.message, remedy: error.remedy)
    }
  }
}
