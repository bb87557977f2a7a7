import ByteCoding
import Permissions
import SyncClient
import Synchronization

/// The realms of a server that is reached over the network. Several processes share the work: each realm is one's for as long as it
/// holds the lease of the handler.
final class RemoteOrigin: EventOrigin {
  let needsCopies = true
  private let server: RemoteServer
  private let leases: RemoteLeases
  private let polling = Mutex<Task<Void, Never>?>(nil)

  /// - Throws: ``EventError`` with code `workingDirectory`.
  init(_ user: SyncUser, in folder: String) throws {
    server = RemoteServer(user: user)
    leases = try RemoteLeases(in: folder)
  }

  func begin(
    matching: @escaping @Sendable (RealmPath) -> Bool, wake: @escaping @Sendable ([RealmPath]) -> Void
  ) async throws -> [RealmPath] {
    let server = server
    let first: Answer
    do { first = try await Self.poll(server, nil) } catch let error as UnavailableRealm {
      throw EventError(.server, "the server cannot be asked for its realms: \(error)", remedy: "check its address")
    }
    let task = Task {
      var watch: String? = first.watch
      var failures = 0
      while !Task.isCancelled {
        do {
          let answer = try await Self.poll(server, watch)
          (watch, failures) = (answer.watch, 0)
          let paths = answer.paths.filter(matching)
          if !paths.isEmpty { wake(paths) }
        } catch {
          // An answer may be lost: all realms are looked at once the server answers again.
          watch = nil
          failures = min(failures + 1, 6)
          try? await Task.sleep(for: .milliseconds(100 << failures))
        }
      }
    }
    polling.withLock { $0 = task }
    return first.paths.filter(matching)
  }

  private struct Answer {
    var watch: String
    var paths: [RealmPath]
  }

  private static func poll(_ server: RemoteServer, _ watch: String?) async throws -> Answer {
    var query = [("wait", String(RemoteServer.patience))]
    if let watch { query.append(("watch", watch)) }
    let json = try JSONValue(parsing: try await server.call("GET", "/realms", query: query).body)
    guard let watch = json["watch"]?.string, let paths = json["paths"]?.elements else {
      throw RemoteServer.lacks("watch")
    }
    return Answer(watch: watch, paths: paths.compactMap { $0.string.flatMap { try? RealmPath($0) } })
  }

  func pause() {
    polling.withLock { task in
      task?.cancel()
      task = nil
    }
  }

  func end() async { await leases.giveBack(server) }

  func introduce(_ handler: HandlerIdentity, to path: RealmPath) async throws {
    _ = try await server.of(handler).call(
      "GET", "", query: [("path", path.description), ("start", "newest")], known: [404])
  }

  func open(_ path: RealmPath, for handler: HandlerIdentity) async throws -> (any EventRealm)? {
    let realm = RemoteRealm(server.of(handler), path, handler, leases)
    return try await realm.readState() ? realm : nil
  }
}
