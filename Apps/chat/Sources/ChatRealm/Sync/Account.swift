import CommandLineKit
import Dispatch
import RealmSwift
import Synchronization
import Transport

/// A user who is logged in on this machine. Used from any thread.
struct Account: Sendable {
  let user: SyncUser
  let server: NetworkURL
  let name: String

  /// The server's name for the user.
  var id: String { user.identity ?? "" }
  /// Such as `ann@localhost:9080`.
  var text: String { "\(name)@\(server.authority)" }

  /// The account of a user who is logged in here already; nil for any other.
  static func known(_ name: String, at server: NetworkURL) -> Account? {
    SyncUser.all.values.first { $0.username == name }.map { Account(user: $0, server: server, name: name) }
  }

  /// Logs a user in and remembers that.
  ///
  /// - Throws: `CommandFailure`, as all functions here, with what the server said and what helps.
  static func logIn(_ name: String, password: String, register: Bool, at server: NetworkURL) throws -> Account {
    guard let url = URL(string: "\(server)") else { throw CommandFailure("'\(server)' is not the address of a server") }
    let credentials: SyncCredentials =
      register
      ? .usernamePasswordCreatingIfMissing(username: name, password: password)
      : .usernamePassword(username: name, password: password)
    let user = try waiting { try await SyncUser.logIn(with: credentials, server: url) }
    return Account(user: user, server: server, name: name)
  }

  /// Forgets the login on this machine, and tells the server if it can be reached.
  static func logOut(_ id: String) throws {
    guard let user = SyncUser.all[id] else { return }
    try waiting { try await user.logOut() }
  }

  /// Lets every user of the server write in a realm.
  func openToEveryone(_ path: String) throws {
    let permission = SyncPermission(realmPath: path, identity: "*", accessLevel: .write)
    try Self.waiting { [user] in try await user.apply(permission) }
  }

  /// The configuration of a realm on the user's server.
  func configuration(of path: String, fullSynchronization: Bool) throws -> Realm.Configuration {
    let scheme = server.scheme.isSecure ? "realms" : "realm"
    guard let url = URL(string: "\(scheme)://\(server.authority)\(path)") else {
      throw CommandFailure("'\(path)' is not the path of a realm")
    }
    return user.configuration(realmURL: url, fullSynchronization: fullSynchronization)
  }

  /// Waits on this thread, which has nothing else to do, for work that suspends.
  private static func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let box = Outcome<Value>()
    Task.detached {
      do {
        let value = try await work()
        box.result.withLock { $0 = .success(value) }
      } catch {
        box.result.withLock { $0 = .failure(error) }
      }
      box.done.signal()
    }
    box.done.wait()
    do {
      guard let result = box.result.withLock({ $0 }) else { throw CancellationError() }
      return try result.get()
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

/// The result of work on another thread.
private final class Outcome<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
}
