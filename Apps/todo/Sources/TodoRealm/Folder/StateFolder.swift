import CommandLineKit
import Foundation
import TodoCore
import Transport

/// The data folder of the app: `$XDG_STATE_HOME/openrealm/todo`, or the folder of `--data`.
///
///     settings.json                       who is logged in where, and whether syncing is switched off
///     realms/local.realm                  lists made before the first login
///     realms/localhost_3a9080/users/      the tokens of the server's users (readable by their owner only)
///     realms/localhost_3a9080/<user>/     the user's lists, and those that others shared
extension StateFolder {
  /// The folder that the options mean; made if it is missing.
  ///
  /// - Throws: `CommandFailure` when there is none, or it cannot be made.
  init(_ options: BackendOptions) throws {
    try self.init(
      of: "todo", named: options.data, environment: options.environment, purpose: "the lists",
      isReading: options.isReading)
  }

  /// The folder in which `SyncManager` keeps the users of a server. Takes over `users-….json` of release 0.1, a file of
  /// the same content in another place.
  func syncFolder(of server: NetworkURL) throws -> URL {
    let folder = URL(fileURLWithPath: path + "/realms/" + Self.fileName(server.authority), isDirectory: true)
    let earlier = path + "/users-" + Self.fileName(server.authority) + ".json"
    guard FileManager.default.fileExists(atPath: earlier) else { return folder }
    let key = "\(server.scheme.isSecure ? "https" : "http")://\(server.host):\(server.port)"
    let users = folder.appendingPathComponent("users/\(PercentCoding.encoded(key)).users.json")
    try Self.makeFolder(users.deletingLastPathComponent().path)
    if !FileManager.default.fileExists(atPath: users.path) {
      try? FileManager.default.moveItem(atPath: earlier, toPath: users.path)
    }
    return folder
  }

  /// The file of lists that no server knows.
  func localRealm() throws -> URL { try realmFile(["local"]) }

  /// Whether there is such a file.
  var hasLocalRealm: Bool { FileManager.default.fileExists(atPath: path + "/realms/local.realm") }

  /// The file of the lists at a path of a server, for one user.
  func realm(server: NetworkURL, user: String, path realmPath: String) throws -> URL {
    try realmFile([server.authority, user, realmPath])
  }
}
