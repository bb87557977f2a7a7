import AuthClient
import Foundation
import Synchronization
import Transport

/// One app on one server: its users on this device, and the ways to log in.
///
///     let app = App(id: "todo-abcde")
///     let user = try await app.login(credentials: .anonymous)
///     let realm = try await Realm(configuration: user.configuration(partitionValue: "team a"), downloadBeforeOpen: .once)
///
/// Apps with one id and one address share their users, sessions and settings. Safe from any thread.
public final class App: Sendable, Hashable {
  /// The id that the server knows the app by.
  public let appId: String
  /// The configuration that the app was made with.
  public let configuration: AppConfiguration
  /// The sessions and settings of this app.
  public let syncManager: SyncManager
  let server: URL

  private struct Key: Hashable {
    var id: String
    var server: String
  }
  private static let managers = Mutex<[Key: SyncManager]>([:])

  /// An app with the default configuration.
  public convenience init(id: String) { self.init(id: id, configuration: AppConfiguration()) }

  /// An app. Its files are in the folder `<id>` of `mongodb-realm` in the root directory of ``SyncManager/shared``.
  ///
  /// - Parameters:
  ///   - id: the id that the server knows the app by.
  ///   - configuration: the address of the server and the timeouts; an address that is none is reported by logging in.
  ///   - rootDirectory: a folder in the place of `mongodb-realm`; nil for the default. Apps in different folders share
  ///     nothing.
  public init(id: String, configuration: AppConfiguration, rootDirectory: URL? = nil) {
    appId = id
    self.configuration = configuration
    let address = configuration.effectiveBaseURL
    server = URL(string: address) ?? URL(fileURLWithPath: "/")
    let root =
      rootDirectory ?? SyncManager.shared.rootDirectory.appendingPathComponent("mongodb-realm", isDirectory: true)
    let folder = root.appendingPathComponent(PercentCoding.encoded(id), isDirectory: true)
    syncManager = Self.managers.withLock { managers in
      let key = Key(id: id, server: address + " " + folder.path)
      if let known = managers[key] { return known }
      let manager = SyncManager(app: id, rootDirectory: folder, network: configuration.transport)
      manager.adopt(configuration)
      managers[key] = manager
      return manager
    }
  }

  /// The older way to make an app.
  public static func app(id: String) -> App { App(id: id) }

  /// The client of accounts.
  ///
  /// - Throws: ``AppError`` for an address that is none, or a file of users that cannot be read.
  var auth: AuthClient {
    get throws {
      try AppError.mapping { try syncManager.auth(for: server) }
    }
  }

  /// The users that this device knows, by their ids: those logged in, and those logged out and not removed.
  public var allUsers: [String: User] {
    guard let auth = try? auth else { return [:] }
    return Dictionary(
      auth.allUsers.map { ($0.id.rawValue, syncManager.user($0.id, of: auth, server: server)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The user who logged in last, or was switched to; nil while nobody is logged in. Needs no network.
  public var currentUser: User? {
    guard let auth = try? auth, let user = auth.currentUser else { return nil }
    return syncManager.user(user.id, of: auth, server: server)
  }

  /// Makes a logged-in user the current one.
  ///
  /// - Returns: the user. Does nothing for a user who is not logged in here.
  @discardableResult
  public func `switch`(to user: User) -> User {
    precondition(user.manager === syncManager, "only a user of this app can become its current one")
    try? user.auth.makeCurrent(user.userId)
    return user
  }

  /// Registration, confirmation and passwords by mail.
  public var emailPasswordAuth: EmailPasswordAuth { EmailPasswordAuth(app: self) }

  /// Registers devices for push messages, which servers of this platform do not send: every call fails with
  /// ``AppError/Code/unknown`` or what the server says.
  public func pushClient(serviceName: String) -> PushClient { PushClient(app: self, service: serviceName) }

  /// Whether two apps share their users and sessions.
  public static func == (left: App, right: App) -> Bool { left.syncManager === right.syncManager }

  /// Hashes the identity of the shared users and sessions.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(syncManager)) }
}
