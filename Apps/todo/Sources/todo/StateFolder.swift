import CommandLineKit
import Foundation
import Synchronization
import TodoCore

/// Where the app keeps what it knows between runs: `$XDG_STATE_HOME/openrealm/todo`, or the folder of `--data`.
///
///     settings.json    who is logged in where, and whether syncing is switched off
///     users-….json     the tokens of users of a server (readable by their owner only)
///     realms/…         the lists
struct StateFolder: Sendable {
  let path: String

  /// The folder that the options mean; made if it is missing.
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

  /// The tokens of the users of a server.
  func usersFile(server: String) -> String { path + "/users-" + Self.fileName(server) + ".json" }

  /// The file of lists that no server knows.
  func localRealm() throws -> URL { try realm("local") }

  /// The file of the lists at a path of a server, for one user.
  func realm(server: String, user: String, path realmPath: String) throws -> URL {
    try realm(Self.fileName(server) + "/" + Self.fileName(user) + "/" + Self.fileName(realmPath))
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

/// What the app remembers besides lists and tokens.
struct Settings: Codable, Equatable {
  /// The address of the server, such as `http://localhost:9080`; nil before the first login.
  var server: String?
  /// The name of the user who is logged in.
  var user: String?
  /// The server's id of the user.
  var userId: String?
  /// Whether syncing is switched off.
  var isOffline = false
  /// Where the lists of others are, by `ann@host bob`, so that they open offline too.
  var sharedPaths: [String: String]?
  /// What the server last said that users may do with lists of others, by `ann@host /path`.
  var accessLevels: [String: String]?

  private static func file(_ folder: StateFolder) -> String { folder.path + "/settings.json" }

  /// When the settings were written last; nil before the first time.
  static func modified(_ folder: StateFolder) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file(folder))[.modificationDate] as? Date
  }

  /// Calls a function after another process has changed the settings, until what this returns goes.
  static func watch(_ folder: StateFolder, _ changed: @escaping @Sendable () -> Void) -> Ticker {
    let seen = Mutex(modified(folder))
    return Ticker(seconds: 1) {
      let now = modified(folder)
      let isNew = seen.withLock { seen in
        defer { seen = now }
        return seen != now
      }
      if isNew { changed() }
    }
  }

  static func load(_ folder: StateFolder) throws -> Settings {
    let file = Self.file(folder)
    guard FileManager.default.fileExists(atPath: file) else { return Settings() }
    do {
      return try JSONDecoder().decode(Settings.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw CommandFailure("the file '\(file)' cannot be read", remedy: "remove it, and log in again with 'todo login'")
    }
  }

  func save(_ folder: StateFolder) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let file = Self.file(folder)
    do {
      try encoder.encode(self).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw CommandFailure(
        "cannot write '\(file)'", remedy: "check the permissions of the folder and the space on the disk")
    }
  }
}
