import ChatCore
import CommandLineKit
import Foundation
import Transport

/// The data folder of the app: `$XDG_STATE_HOME/openrealm/chat`, or the folder of `--data`.
///
///     login.json                          who is logged in where, and whether syncing is switched off
///     realms/localhost_3a9080/users/      the tokens of the server's users (readable by their owner only)
///     realms/localhost_3a9080/<user>/     the user's realms
struct StateFolder: Sendable {
  let path: String

  /// The folder that the options mean; made if it is missing.
  ///
  /// - Throws: `CommandFailure` when there is none, or it cannot be made.
  init(_ options: BackendOptions) throws {
    let environment = options.environment
    if let data = options.data {
      path = URL(fileURLWithPath: data).standardizedFileURL.path
    } else if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      path = state + "/openrealm/chat"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      path = home + "/.local/state/openrealm/chat"
    } else {
      throw CommandFailure("there is no folder for the rooms", remedy: "set HOME, or name a folder with '--data DIR'")
    }
    try Self.makeFolder(path)
  }

  private static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "cannot make the folder '\(path)'", remedy: "check its permissions, or name another with '--data DIR'")
    }
  }

  /// The folder in which `SyncManager` keeps the users of a server.
  func syncFolder(of server: NetworkURL) -> URL {
    URL(fileURLWithPath: path + "/realms/" + Self.fileName(server.authority), isDirectory: true)
  }

  /// The file of a realm of a user on a server. Its folder is made if it is missing.
  func realm(server: NetworkURL, user: String, path realmPath: String) throws -> URL {
    let name = [server.authority, user, realmPath].map(Self.fileName).joined(separator: "/")
    let file = URL(fileURLWithPath: path + "/realms/" + name + ".realm")
    try Self.makeFolder(file.deletingLastPathComponent().path)
    return file
  }

  /// A text as the name of a file: other characters than letters, digits and `-` become `_` and their bytes.
  static func fileName(_ text: String) -> String {
    let name = text.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
      if isPlain { return String(UnicodeScalar(byte)) }
      return "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return String(name.prefix(180))
  }
}
