import AdapterKit
import ChangesetOT
import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import Telemetry
import TestKit
import Testing
import Transport
import TransportReal

@testable import PostgresConnector

/// A server, a database and a connector between them.
final class ConnectorScene: @unchecked Sendable {
  let database: PostgresServer
  let folder: String
  let server: ObjectServer
  let connection: PostgresConnection
  var configuration: ConnectorConfiguration
  private(set) var connector: PostgresConnector
  private var work: Task<Void, any Error>?

  static let settings = """
    name = "shop"
    [postgres]
    number-of-retries = 2
    retry-delay-milliseconds = 5
    [realm]
    path = "/shop"
    pattern = "^/shop$"
    [class.Customer]
    primary-key = "id"
    id = "int"
    name = "string?"
    [class.Address]
    embedded = true
    city = "string?"
    zip = "int"
    [class.Item]
    primary-key = "id"
    id = "int"
    title = "string?"
    price = "decimal128?"
    weight = "double?"
    made = "date?"
    code = "uuid?"
    picture = "data?"
    sold = "bool?"
    owner = "Customer"
    tags = "string[]"
    buyers = "Customer[]"
    marks = "int<>"
    notes = "string{}"
    place = "Address"
    anything = "mixed"
    """

  init(_ settings: String = ConnectorScene.settings, prepare: (PostgresConnection) throws -> Void = { _ in })
    async throws
  {
    database = try await PostgresServer()
    connection = try PostgresConnection(database.parameters())
    try prepare(connection)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)").path
    let loop = try EventLoop(name: "shop")
    let environment = try EmbeddedServer(path: folder).open(
      network: RealNetwork(loop: loop), threads: 4, logger: .disabled)
    var server = ServerConfiguration()
    server.address = ListenAddress(host: "127.0.0.1", port: 0)
    self.server = ObjectServer(configuration: server, environment: environment)
    _ = try await self.server.start()
    configuration = try ConnectorConfiguration(toml: settings)
    configuration.connection = database.parameters()
    connector = PostgresConnector(self.server, configuration)
  }

  private var logger: Logger {
    ProcessInfo.processInfo.environment["SHOW_LOG"] == nil
      ? .disabled : Logger(category: "connector", level: .debug, sink: FileDescriptorSink.standardError(format: .text))
  }

  /// Starts the connector, as a new process would.
  func start() {
    let connector = PostgresConnector(server, configuration, logger: logger)
    self.connector = connector
    work = Task { try await connector.run() }
  }

  func stopConnector() async throws {
    connector.stop()
    try await work?.value
    work = nil
  }

  /// Waits until the connector ends by itself.
  func waitForEnd() async throws {
    let ending = work
    work = nil
    try await ending?.value
  }

  /// Ends everything. A connector that had ended by itself, and of which no test knew, is an issue.
  func end() async {
    do { try await stopConnector() } catch { Issue.record(error, "the connector had ended") }
    await server.stop()
    await database.remove()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: The realm

  func edit(_ path: String = "/shop", _ body: @escaping @Sendable (RealmEditor) throws -> Void) async throws {
    guard let hold = try await server.hold(try RealmPath(path), creator: UserId("test")) else {
      throw WaitTimeout(expectation: "the realm")
    }
    let schema = configuration.schema
    try await hold.write { history in
      try history.file.edit { editor in
        try editor.addClasses(schema)
        try body(editor)
      }
    }
  }

  /// Erases an object as another device does: links to it keep its name.
  func erase(_ object: ObjectReference, in path: String = "/shop") async throws {
    guard let hold = try await server.hold(try RealmPath(path)) else { throw WaitTimeout(expectation: "the realm") }
    try await hold.write { history in
      let adapter = try RealmAdapter("device", of: path, history, from: .newest)
      let number = try adapter.written().client.rawValue + 1
      try adapter.write(
        [.delete(object)], number: number, base: try adapter.present().position.version,
        time: OriginTimestamp(unixMilliseconds: 1_800_000_000_000))
    }
  }

  func object(_ className: String, _ key: Int64, in path: String = "/shop") async throws -> ObjectRecord? {
    guard let hold = try await server.hold(try RealmPath(path)) else { return nil }
    let reference = ObjectReference(className: className, key: .int(key))
    return try await hold.perform { try $0.file.contents().object(reference) }
  }

  // MARK: Both

  /// The first difference between the realm and the tables; nil when they are equal.
  func difference(_ path: String = "/shop") async throws -> String? {
    guard let hold = try await server.hold(try RealmPath(path)) else { return "no realm" }
    let (configuration, connection) = (SendableBox(configuration), SendableBox(connection))
    return try await hold.perform { history in
      try SideComparison(configuration.value, connection.value).difference(path, try history.file.contents())
    }
  }

  /// Waits until both sides are equal and stay so, and the connector has nothing more to do.
  func settle(_ path: String = "/shop", within limit: Duration = .seconds(300)) async throws -> String? {
    var last: String?
    var equal = 0
    var progress = connector.progress
    do {
      try await eventually(within: limit) {
        do { last = try await difference(path) } catch { last = "\(error)" }
        let isQuiet = progress == connector.progress
        progress = connector.progress
        equal = last == nil && isQuiet ? equal + 1 : 0
        try await Task.sleep(for: .milliseconds(45))
        return equal == 3
      }
      return nil
    } catch { return last ?? "they do not stay equal" }
  }
}
