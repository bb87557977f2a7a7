import ByteCoding
import ChangesetOT
import Foundation
import Permissions
import Synchronization

/// The leases that this process holds, by handler and realm. They lapse on the server half a minute after their last use.
///
/// All have one token, which lies in the working directory: a process that is started again takes its realms back at once.
final class RemoteLeases: Sendable {
  struct Key: Hashable {
    var handler: String
    var path: RealmPath
  }

  private let token: String
  /// The realms of which leases were taken, with the handler's position when it was seen or stored last.
  private let held = Mutex<[Key: SaltedServerVersion]>([:])

  /// The leases of the process with a working directory, which is made when it is missing.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory`.
  init(in folder: String) throws {
    let file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("process.id")
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if let known = try? String(contentsOf: file, encoding: .utf8), UUID(uuidString: known) != nil {
        token = known
      } else {
        token = UUID().uuidString
        try token.write(to: file, atomically: true, encoding: .utf8)
      }
    } catch {
      throw EventError(
        .workingDirectory, "the working directory \(folder) cannot be used", remedy: "check its permissions",
        cause: error)
    }
  }

  /// Takes a lease, or renews it.
  ///
  /// - Returns: the lease.
  /// - Throws: ``UnavailableRealm`` when another process has it.
  func take(_ path: RealmPath, _ server: RemoteServer) async throws -> String {
    _ = try await server.call(
      "POST", "/lease", body: [("path", .string(path.description)), ("lease", .string(token))])
    return token
  }

  /// Notes the position of a handler in a realm of which this process has the lease.
  ///
  /// - Returns: whether it is the one that was noted last: nobody else has moved it, and the server was not restored meanwhile.
  @discardableResult
  func note(_ position: SaltedServerVersion, _ path: RealmPath, _ handler: String) -> Bool {
    held.withLock { $0.updateValue(position, forKey: Key(handler: handler, path: path)) } == position
  }

  /// Gives all leases back; what cannot be given back lapses.
  func giveBack(_ server: RemoteServer) async {
    let keys = held.withLock { held in
      defer { held = [:] }
      return held.keys
    }
    for key in keys {
      _ = try? await RemoteServer(user: server.user, handler: key.handler).call(
        "POST", "/lease",
        body: [("path", .string(key.path.description)), ("lease", .string(token)), ("release", .bool(true))])
    }
  }
}
