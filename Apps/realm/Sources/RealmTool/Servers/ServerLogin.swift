import CommandLineKit
import Foundation
import SyncClient

/// Logging in to the server of a realm.
enum ServerLogin {
  /// The user that the options name, or who is logged in already; asks for the password of another one.
  ///
  /// - Throws: `CommandFailure` with what the server said and what helps.
  static func user(_ invocation: Invocation, at location: ServerLocation, _ console: Console) async throws -> SyncUser {
    guard let server = location.server else {
      throw CommandFailure("'\(location.text)' names no server", code: "badURL")
    }
    let name = invocation.text("user")
    let known = SyncUser.all.values.filter { user in
      user.authenticationServer?.host == server.host && user.authenticationServer?.port == server.port
        && (name == nil || user.username == name || user.identity == name)
    }
    if known.count == 1, let user = known.first { return user }
    guard let name else {
      throw CommandFailure(
        known.isEmpty
          ? "nobody is logged in to \(location.address.authority)"
          : "several users are logged in to \(location.address.authority)",
        remedy: "say who you are with '--user NAME'", code: "notLoggedIn")
    }
    let password = try console.readPassword("Password of \(name) at \(location.address.authority): ")
    do {
      return try await SyncUser.logIn(
        with: .usernamePassword(username: name, password: password), server: server)
    } catch let error as SyncAuthError {
      throw failure(error)
    }
  }

  static func failure(_ error: SyncAuthError) -> CommandFailure {
    CommandFailure(
      error.message,
      remedy: error.isServerUntrusted
        ? error.remedy + "; '--ca FILE' names the authority that signed it" : error.remedy,
      code: error.isServerUntrusted ? "untrusted" : "login")
  }
}
