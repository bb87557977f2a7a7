import ChangesetOT
import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import PostgresConnector
import RecordStore
import Telemetry
import Transport
import TransportReal

/// A server, a PostgreSQL, and a connector between them.
final class ConnectorBench: @unchecked Sendable {
  private let database: PostgreSQLServer
  private let connection: PostgresConnection
  private let folder: ScratchFolder
  private let server: ObjectServer
  private var work: (connector: PostgresConnector, end: Handover<Void>)?
  private static let path = "/bench"

  init() throws {
    database = try PostgreSQLServer(["wal_level=logical", "max_wal_size=8GB"])
    connection = try Self.connect(database)
    folder = try ScratchFolder("connector")
    let loop = try EventLoop(name: "bench")
    let environment = try EmbeddedServer(path: folder.url.path).open(
      network: RealNetwork(loop: loop), threads: 4, logger: .disabled)
    var configuration = ServerConfiguration()
    configuration.address = ListenAddress(host: "127.0.0.1", port: 0)
    let server = ObjectServer(configuration: configuration, environment: environment)
    self.server = server
    try Self.run { _ = try await server.start() }
  }

  private static func connect(_ database: PostgreSQLServer) throws -> PostgresConnection {
    let deadline = monotonicSeconds() + 30
    while true {
      do { return try PostgresConnection(database.parameters) } catch {
        guard monotonicSeconds() < deadline else { throw error }
        usleep(50_000)
      }
    }
  }

  private static func run(seconds: Double = 7_200, _ body: @escaping @Sendable () async throws -> Void) throws {
    let done = Handover<Void>()
    Task.detached {
      do { done.set(.success(try await body())) } catch { done.set(.failure(error)) }
    }
    try done.wait(seconds: seconds)
  }

  func stop() {
    try? stopConnector()
    let server = server
    try? Self.run { await server.stop() }
    database.stop()
    folder.remove()
  }

  private func stopConnector() throws {
    guard let (connector, end) = work else { return }
    work = nil
    connector.stop()
    try end.wait(seconds: 600)
  }

  // MARK: Both sides

  private static func settings(_ path: String, fromTables: Bool) throws -> ConnectorConfiguration {
    try ConnectorConfiguration(
      toml: """
        name = "\(path.dropFirst())"
        [realm]
        path = "\(path)"
        initialize-from-postgres = \(fromTables)
        [class.Item]
        primary-key = "id"
        id = "int"
        title = "string?"
        amount = "int"
        done = "bool"
        made = "date?"
        """)
  }

  private func edit(_ body: @escaping @Sendable (RealmEditor) throws -> Void) throws {
    let server = server
    try Self.run {
      guard let hold = try await server.hold(try RealmPath(Self.path), creator: UserId("bench")) else {
        throw BenchmarkFailure("the realm is not there")
      }
      try await hold.write { try $0.file.edit(body) }
    }
  }

  /// Makes objects in the realm.
  func fillRealm(_ count: Int) throws {
    let schema = try Self.settings(Self.path, fromTables: false).schema
    for start in stride(from: 0, to: count, by: 10_000) {
      try edit { editor in
        try editor.addClasses(schema)
        for key in start..<min(start + 10_000, count) {
          let object = ObjectReference(className: "Item", key: .int(Int64(key)))
          try editor.create(object)
          try editor.set(
            [
              "title": .value(.string("item \(key) of many")), "amount": .value(.int(Int64(key &* 7))),
              "done": .value(.bool(key % 3 == 0)),
              "made": .value(.timestamp(Timestamp(seconds: 1_700_000_000 + Int64(key), nanoseconds: 0))),
            ], of: object)
        }
      }
    }
  }

  /// Starts a connector, and waits until its first load is over.
  func secondsToLoad(path: String = ConnectorBench.path, fromTables: Bool = false) throws -> Double {
    try stopConnector()
    var configuration = try Self.settings(path, fromTables: fromTables)
    configuration.connection = database.parameters
    configuration.slot = "bench_\(path.dropFirst())"
    configuration.publication = configuration.slot
    let connector = PostgresConnector(server, configuration)
    let end = Handover<Void>()
    work = (connector, end)
    return seconds {
      Task.detached {
        do { end.set(.success(try await connector.run())) } catch {
          say("the connector ended: \(error)")
          end.set(.failure(error))
        }
      }
      while !connector.progress.isLive { usleep(1_000) }
    }
  }

  /// The times in which the database copies the rows to a file, and into a table of the same form.
  func secondsToCopy() throws -> (to: Double, from: Double) {
    let file = database.scratchFile
    let to = try seconds { try connection.query("COPY \"Item\" TO '\(file)'") }
    try connection.query("CREATE TABLE copied (LIKE \"Item\" INCLUDING ALL)")
    let from = try seconds { try connection.query("COPY copied FROM '\(file)'") }
    try connection.query("DROP TABLE copied")
    return (to, from)
  }

  func check(rows count: Int) throws {
    let rows = try connection.query("SELECT count(*) FROM \"Item\"")[0, 0]
    guard rows == "\(count)" else { throw BenchmarkFailure("\(rows ?? "no") rows of \(count)") }
  }

  func check(objects count: Int, path: String) throws {
    let server = server
    try Self.run {
      let found = try await server.hold(try RealmPath(path))?.perform { try $0.file.contents().count(of: "Item") }
      guard found == count else { throw BenchmarkFailure("\(found ?? 0) objects of \(count)") }
    }
  }

  // MARK: Single changes

  /// The times from commits of the realm until their rows can be seen.
  func lagsToTable(_ count: Int) throws -> [Double] {
    try (0..<count).map { number in
      let object = ObjectReference(className: "Item", key: .int(Int64(number % 1_000)))
      try edit { try $0.set(["title": .value(.string("realm \(number)"))], of: object) }
      let begin = monotonicSeconds()
      while try connection.query("SELECT title FROM \"Item\" WHERE id = \(number % 1_000)")[0, 0] != "realm \(number)" {
        guard monotonicSeconds() < begin + 60 else { throw BenchmarkFailure("a change does not come to the table") }
        usleep(50)
      }
      return monotonicSeconds() - begin
    }
  }

  /// The times from commits of the database until their objects can be seen.
  func lagsToRealm(_ count: Int) throws -> [Double] {
    let server = server
    return try (0..<count).map { number in
      let object = ObjectReference(className: "Item", key: .int(Int64(number % 1_000)))
      try connection.query("UPDATE \"Item\" SET title = 'table \(number)' WHERE id = \(number % 1_000)")
      let begin = monotonicSeconds()
      try Self.run(seconds: 60) {
        guard let hold = try await server.hold(try RealmPath(Self.path)) else {
          throw BenchmarkFailure("the realm is not there")
        }
        while try await hold.perform({ try $0.file.contents().object(object)?["title"] })
          != .value(.string("table \(number)"))
        { usleep(50) }
      }
      return monotonicSeconds() - begin
    }
  }
}
