import Foundation
import Permissions
import Telemetry

extension EventDispatcher {
  /// Reads the working directory, and removes the copies of an earlier process.
  func prepare() throws {
    known = try KnownHandlers(in: configuration.workingDirectory)
    try? FileManager.default.removeItem(atPath: replicaFolder)
    do {
      try FileManager.default.createDirectory(
        atPath: replicaFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EventError(
        .workingDirectory, "\(replicaFolder) cannot be made", remedy: "check its permissions", cause: error)
    }
  }

  /// The folder of the copies of realms.
  var replicaFolder: String { configuration.workingDirectory + "/replicas" }

  /// Makes new handlers known to the realms that there are, and delivers what came while the process did not run.
  func begin(_ paths: [RealmPath]) async throws {
    for number in configuration.handlers.indices {
      let handler = configuration.handlers[number]
      let matching = paths.filter { handler.shouldHandle(path: $0.description) }
      if matching.isEmpty {
        logger.warn("the pattern of an event handler matches no realm yet", ["handler": .string(handler.name)])
      } else {
        matched.insert(number)
      }
      if known?.names.contains(handler.name) != true {
        for path in matching where !isStopping.isSet { await introduce(handler, to: path) }
        try known?.insert(handler.name)
      }
      // Another process may have left something to a handler that is new here.
      for path in matching { wake(Key(handler: number, path: path)) }
    }
  }

  /// Gives a new handler its position in a realm: the newest. A realm whose files cannot be opened stops no other one: it is
  /// reported, and told from its beginning once it can be opened.
  private func introduce(_ handler: any NotificationHandler, to path: RealmPath) async {
    do { try await origin.introduce(identity(of: handler), to: path) } catch {
      logger.error(
        "a realm cannot be opened for an event handler",
        [
          "handler": .string(handler.name), "path": .string(path.description), "reason": .string("\(error)"),
        ])
    }
  }
}
