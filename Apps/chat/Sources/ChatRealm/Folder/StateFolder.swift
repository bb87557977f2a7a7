import ChatCore
import CommandLineKit
import Foundation
import Transport

/// The data folder of the app: `$XDG_STATE_HOME/openrealm/chat`, or the folder of `--data`.
///
///     login.json                          who is logged in where, and whether syncing is switched off
///     realms/localhost_3a9080/users/      the tokens of the server's users (readable by their owner only)
///     realms/localhost_3a9080/<user>/     the user's realms
extension StateFolder {
  /// The folder that the options mean; made if it is missing.
  ///
  /// - Throws: `CommandFailure` when there is none, or it cannot be made.
  init(_ options: BackendOptions) throws {
    try self.init(
      of: "chat", named: options.data, environment: options.environment, purpose: "the rooms",
      isReading: options.isReading)
  }

  /// The folder in which `SyncManager` keeps the users of a server.
  func syncFolder(of server: NetworkURL) -> URL {
    URL(fileURLWithPath: path + "/realms/" + Self.fileName(server.authority), isDirectory: true)
  }

  /// The file of a realm of a user on a server. Its folder is made if it is missing.
  func realm(server: NetworkURL, user: String, path realmPath: String) throws -> URL {
    try realmFile([server.authority, user, realmPath])
  }
}
