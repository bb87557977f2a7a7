import Foundation
import RealmSwift

/// Opens a realm of the benchmarks' user on the server; makes the user when it is missing.
///
/// - Parameters:
///   - data: the folder of the client; each folder is a device of its own.
///   - isWhole: whether the whole realm is synced; otherwise what its subscriptions find.
func openSynced(
  port: Int, data: URL, path: String, types: [ObjectBase.Type], isWhole: Bool = true
) throws -> Realm {
  let manager = SyncManager(rootDirectory: data)
  let opened = Handover<SyncUser>()
  let credentials = SyncCredentials.usernamePasswordCreatingIfMissing(username: "bench", password: "bench-password")
  guard let server = URL(string: "http://127.0.0.1:\(port)") else { throw BenchmarkFailure("no URL for port \(port)") }
  Task.detached {
    do {
      opened.set(.success(try await SyncUser.logIn(with: credentials, server: server, manager: manager)))
    } catch {
      opened.set(.failure(error))
    }
  }
  let user = try opened.wait()
  var configuration = user.configuration(
    realmURL: URL(string: "realm://127.0.0.1:\(port)/~/\(path)"), fullSynchronization: isWhole)
  configuration.objectTypes = types
  return try Realm(configuration: configuration)
}

/// Opens a realm by queries, and waits for the objects of one query; all objects without one.
func openSubscribed<T: Object>(
  port: Int, data: URL, path: String, _ type: T.Type, where query: QuerySubscription<T> = QuerySubscription<T>()
) throws -> Realm {
  let realm = try openSynced(port: port, data: data, path: path, types: [type], isWhole: false)
  let subscriptions = realm.subscriptions
  try subscriptions.write { subscriptions.append(query) }
  try realm.settle(.download)
  return realm
}

extension Realm {
  /// The session; a synced realm has one.
  func benchSession() throws -> SyncSession {
    guard let session = syncSession else { throw BenchmarkFailure("the realm has no session") }
    return session
  }

  /// Waits until everything written so far is acknowledged, or everything there is is downloaded.
  func settle(_ direction: SyncSession.ProgressDirection, seconds: Double = 900) throws {
    let done = Handover<Void>()
    let completion: @Sendable (Result<Void, SyncError>) -> Void = { result in done.set(result.mapError { $0 }) }
    let session = try benchSession()
    if direction == .upload { session.waitForUpload(completion) } else { session.waitForDownload(completion) }
    try done.wait(seconds: seconds)
    refresh()
  }

  /// Adds people with ids from `first`, in transactions of `size`.
  func addPeople(_ people: [PersonValues], perTransaction size: Int) throws {
    for start in stride(from: 0, to: people.count, by: size) {
      try write {
        for values in people[start..<min(start + size, people.count)] {
          let person = Person(values)
          add(person)
        }
      }
    }
  }
}
