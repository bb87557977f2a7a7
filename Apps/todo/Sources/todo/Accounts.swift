import AuthClient
import CommandLineKit
import Permissions
import TodoCore
import Transport
import TransportReal

/// Who is logged in on this machine, and the calls to the server about users.
final class Accounts: Sendable {
  /// A user who is logged in.
  struct Account: Sendable {
    var server: NetworkURL
    var name: String
    var id: UserId
    /// Such as `ann@localhost:9080`.
    var text: String { "\(name)@\(server.authority)" }
  }

  let server: NetworkURL
  let client: AuthClient

  init(server text: String, folder: StateFolder, network: any Network) throws {
    do {
      server = try Self.address(text)
      client = try AuthClient(
        server: server, network: network, store: FileTokenStore(path: folder.usersFile(server: server.authority)),
        timeout: .seconds(15))
    } catch let error as TransportError {
      throw CommandFailure(
        "'\(text)' is not the address of a server: \(error.message)", remedy: "give one such as http://localhost:9080")
    } catch let error as AuthError {
      throw Self.failure(error)
    }
  }

  /// An address as people type it; without a scheme it is taken for http.
  static func address(_ text: String) throws(TransportError) -> NetworkURL {
    try NetworkURL(text.contains("://") ? text : "http://" + text)
  }

  func login(_ name: String, password: String, register: Bool) throws -> Account {
    let client = client
    let user = try calling {
      try await client.logIn(.usernamePassword(name, password, register: register ? .ifMissing : .never))
    }
    return Account(server: server, name: name, id: user.id)
  }

  func logout(_ id: String) throws {
    let client = client
    try calling { try await client.logOut(UserId(id)) }
  }

  /// The user with a name, if logged in here.
  func account(named name: String) -> Account? {
    client.loggedInUsers.first { $0.name == name }.map { Account(server: server, name: name, id: $0.id) }
  }

  /// Lets another user use a realm of the caller; nil takes the right away.
  func share(path: String, with other: String, _ access: Access?, by user: UserId) throws {
    let client = client
    let level: SyncAccessLevel =
      switch access {
      case nil: .none
      case .read: .read
      case .write: .write
      case .manage: .manage
      }
    let permission = SyncPermission(realmPath: path, username: other, accessLevel: level)
    try calling { try await client.apply(permission, by: user) }
  }

  /// The realms of others that the user may open.
  func granted(to user: UserId) throws -> [String] {
    let client = client
    return try calling { try await client.permissions(of: user) }.filter { $0.accessLevel > .none }.map(\.path)
  }

  /// What the user may do with a realm of another; nil when nothing was granted that names it.
  func access(to path: String, of account: Account) throws -> Access? {
    let client = client
    if client.user(account.id)?.isAdministrator == true { return .manage }
    let levels = try calling { try await client.permissions(of: account.id) }
      .filter { $0.path == path }.map(\.accessLevel)
    return switch levels.max() {
    case .read?: .read
    case .write?: .write
    case .admin?: .manage
    case SyncAccessLevel.none?, nil: nil
    }
  }

  private func calling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    do {
      return try Blocking.run(work)
    } catch let error as AuthError {
      throw Self.failure(error)
    }
  }

  static func failure(_ error: AuthError) -> CommandFailure { CommandFailure(error.message, remedy: error.remedy) }
}
