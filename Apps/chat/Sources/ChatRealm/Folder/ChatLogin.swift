import CommandLineKit
import Foundation

/// The app's memory besides realms and tokens: `login.json`.
struct ChatLogin: Codable, Equatable {
  /// The address of the server, such as `http://localhost:9080`; nil before the first login.
  var server: String?
  /// The name of the user who is logged in.
  var user: String?
  /// The server's id of the user.
  var userId: String?
  /// Whether syncing is switched off.
  var isOffline = false

  private static func file(_ folder: StateFolder) -> String { folder.path + "/login.json" }

  /// The memory of a folder; empty in a new one.
  ///
  /// - Throws: `CommandFailure` for a file that cannot be read.
  static func load(_ folder: StateFolder) throws -> ChatLogin {
    let file = file(folder)
    guard FileManager.default.fileExists(atPath: file) else { return ChatLogin() }
    do {
      return try JSONDecoder().decode(ChatLogin.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw CommandFailure("the file '\(file)' cannot be read", remedy: "remove it, and log in again with 'chat login'")
    }
  }

  /// Changes what a folder remembers.
  ///
  /// - Throws: `CommandFailure` when it cannot be read or written.
  static func change(_ folder: StateFolder, _ edit: (inout ChatLogin) -> Void) throws {
    var login = try load(folder)
    edit(&login)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let file = file(folder)
    do {
      try encoder.encode(login).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw CommandFailure(
        "cannot write '\(file)'", remedy: "check the permissions of the folder and the space on the disk")
    }
  }
}
