import CommandLineKit
import Foundation
import Synchronization
import TodoCore

/// The app's memory besides lists and tokens: `settings.json`.
struct TodoSettings: Codable, Equatable {
  /// The address of the server, such as `http://localhost:9080`; nil before the first login.
  var server: String?
  /// The name of the user who is logged in.
  var user: String?
  /// The server's id of the user.
  var userId: String?
  /// Whether syncing is switched off.
  var isOffline = false
  /// The paths of the lists of others, by `ann@host bob`, so that they open offline too.
  var sharedPaths: [String: String]?
  /// The server's last word on the rights of users to lists of others, by `ann@host /path`.
  var accessLevels: [String: String]?

  private static func file(_ folder: StateFolder) -> String { folder.path + "/settings.json" }

  /// The time of the last write of the settings; nil before the first.
  static func modified(_ folder: StateFolder) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file(folder))[.modificationDate] as? Date
  }

  /// Calls a function after another process has changed the settings, as long as the ticker lives.
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

  /// The settings of a folder; those of a new one where it has none.
  ///
  /// - Throws: `CommandFailure` for a file that cannot be read.
  static func load(_ folder: StateFolder) throws -> TodoSettings {
    let file = Self.file(folder)
    guard FileManager.default.fileExists(atPath: file) else { return TodoSettings() }
    do {
      return try JSONDecoder().decode(TodoSettings.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw CommandFailure("the file '\(file)' cannot be read", remedy: "remove it, and log in again with 'todo login'")
    }
  }

  /// Changes the settings of a folder.
  ///
  /// - Throws: `CommandFailure` when they cannot be read or written.
  static func change(_ folder: StateFolder, _ edit: (inout TodoSettings) -> Void) throws {
    var settings = try load(folder)
    edit(&settings)
    try settings.save(folder)
  }

  private func save(_ folder: StateFolder) throws {
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
