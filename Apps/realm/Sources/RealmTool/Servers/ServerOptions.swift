import CommandLineKit
import Foundation
import SyncClient

/// The options of every command that connects to a server.
enum ServerOptions {
  static let all: [CommandOption] = [
    .value(
      "user", short: "u", valueName: "NAME", kind: .nonEmptyText,
      help: "Who to log in as; unless given, who was logged in last.", environment: "REALM_USER"),
    .value(
      "ca", valueName: "FILE", kind: .nonEmptyText,
      help: "The authority, or certificate, that proves the server; otherwise those that the system trusts.",
      environment: "REALM_CA"),
    .value(
      "data", valueName: "DIR", kind: .nonEmptyText,
      help: "Where logins and copies are kept (else $XDG_STATE_HOME/openrealm/realm or the like)."),
  ]

  /// A manager of users and sessions whose logins are in the data folder, and which trusts what the options say.
  static func manager(_ invocation: Invocation, for location: ServerLocation) throws -> (SyncManager, StateFolder) {
    let folder = try StateFolder(
      of: "realm", named: invocation.text("data"), environment: Environment.current, purpose: "logins")
    let manager = SyncManager.shared
    manager.rootDirectory = URL(fileURLWithPath: folder.path + "/logins", isDirectory: true)
    manager.logLevel = .off
    if let path = invocation.text("ca") {
      do { try manager.pinCertificate(path, of: location.address.host) } catch let error as SyncAuthError {
        throw CommandFailure(
          error.message, remedy: error.remedy, code: "badCertificate", details: [("file", .text(path))])
      }
    }
    return (manager, folder)
  }
}
