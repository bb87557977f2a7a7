import CommandLineKit
import Foundation
import SyncClient
import Transport

/// The place of a realm on a command line: a file here, or one of a server.
enum RealmPlace {
  case file(String)
  case server(ServerLocation)

  /// The place that a text means: one with `://` is on a server.
  ///
  /// - Throws: `CommandFailure` for a URL that names no realm.
  init(_ text: String) throws {
    self = text.contains("://") ? .server(try ServerLocation(text)) : .file(text)
  }
}

/// A realm of a server, by its URL: `realm://localhost:9080/~/todo`, also with `realms`, `http` or `https`.
struct ServerLocation {
  let address: NetworkURL
  /// As it was typed, for people.
  let text: String

  init(_ text: String) throws {
    do { address = try NetworkURL(text) } catch {
      throw CommandFailure(
        "'\(text)' is not the URL of a realm: \(error.message)", remedy: Self.example, code: "badURL")
    }
    guard address.target.count > 1 else {
      throw CommandFailure("'\(text)' names no realm", remedy: Self.example, code: "badURL")
    }
    self.text = text
  }

  private static let example = "use one such as realm://localhost:9080/~/todo, where ~ is you"

  /// The URL to log in at.
  var server: URL? { URL(string: "\(address.scheme.isSecure ? "https" : "http")://\(address.authority)") }
  /// The URL to open.
  var realm: URL? {
    URL(string: "\(address.scheme.isSecure ? "realms" : "realm")://\(address.authority)\(address.target)")
  }
}
