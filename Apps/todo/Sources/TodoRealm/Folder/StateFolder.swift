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
      path = state + "/openrealm/todo"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      path = home + "/.local/state/openrealm/todo"
    } else {
      throw CommandFailure("there is no folder for the lists", remedy: "set HOME, or name a folder with '--data DIR'")
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
  func localRealm() throws -> URL { try realm("local") }

  /// Whether there is such a file.
  var hasLocalRealm: Bool { FileManager.default.fileExists(atPath: path + "/realms/local.realm") }

  /// The file of the lists at a path of a server, for one user.
  func realm(server: NetworkURL, user: String, path realmPath: String) throws -> URL {
    try realm([server.authority, user, realmPath].map(Self.fileName).joined(separator: "/"))
  }

  private func realm(_ name: String) throws -> URL {
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
