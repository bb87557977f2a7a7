import DataModel
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

@Suite("schemas of realms and tables", .serialized, .enabled(if: PostgresServer.isThere))
struct SchemaTests {
  private static func customer(_ key: Int64) -> ObjectReference {
    ObjectReference(className: "Customer", key: .int(key))
  }

  private static let least = """
    [class.Customer]
    primary-key = "id"
    id = "int"
    name = "string?"

    """

  /// A scene that is live, whose table and realm have one customer.
  private static func scene(_ settings: String = "", least: String = least) async throws -> ConnectorScene {
    let scene = try await ConnectorScene("name = \"a\"\n[realm]\npath = \"/shop\"\n" + settings + least)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query("INSERT INTO \"Customer\" VALUES (1, 'a')")
    try await eventually { try await scene.object("Customer", 1) != nil }
    return scene
  }

  /// Gives the customer in the realm a property that the settings do not list.
  private static func addAge(_ scene: ConnectorScene) async throws {
    let known = try #require(scene.configuration.schema["Customer"])
    try await scene.edit { editor in
      var layout = known
      layout.properties.append(Property(name: "age", type: .int))
      try editor.addClasses(Schema([layout]))
      try editor.set(["age": .value(.int(30))], of: customer(1))
    }
  }

  private func waitForAge(_ scene: ConnectorScene) async throws {
    try await eventually {
      (try? scene.connection.query("SELECT age FROM \"Customer\" WHERE id = 1")[0, 0]) == "30"
    }
  }

  @Test("with apply-schema-changes new properties become columns, and new columns properties")
  func schemaChanges() async throws {
    let scene = try await Self.scene("apply-schema-changes = true\n")
    try await Self.addAge(scene)
    try await waitForAge(scene)
    try scene.connection.query(
      "ALTER TABLE \"Customer\" ADD COLUMN since date DEFAULT '2020-01-02'; UPDATE \"Customer\" SET name = 'b'")
    try await eventually {
      try await scene.object("Customer", 1)?["since"] == .value(.timestamp(Timestamp(seconds: 1_577_923_200)))
    }
    await scene.end()
  }

  @Test("with apply-schema-changes columns and properties that came while the connector was away are carried over")
  func schemaChangesMeanwhile() async throws {
    let scene = try await Self.scene("apply-schema-changes = true\n")
    try await scene.stopConnector()
    try scene.connection.query(
      "ALTER TABLE \"Customer\" ADD COLUMN since date DEFAULT '2020-01-02'; UPDATE \"Customer\" SET name = 'b'")
    scene.start()
    try await eventually {
      try await scene.object("Customer", 1)?["since"] == .value(.timestamp(Timestamp(seconds: 1_577_923_200)))
    }
    await scene.end()
  }

  @Test("a realm that is new to the connector brings its properties along")
  func newRealm() async throws {
    let scene = try await ConnectorScene(
      "name = \"a\"\n[realm]\npath = \"/shop\"\napply-schema-changes = true\n" + Self.least)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    var layout = try #require(scene.configuration.schema["Customer"])
    layout.properties.append(Property(name: "age", type: .int))
    scene.configuration.schema = Schema([layout])
    try await scene.edit { editor in
      try editor.create(Self.customer(1))
      try editor.set(["age": .value(.int(30))], of: Self.customer(1))
    }
    try await waitForAge(scene)
    await scene.end()
  }

  @Test("an ALTER TABLE that waits for the connector's lock is waited for by nobody")
  func waitingAlteration() async throws {
    let scene = try await Self.scene(
      "apply-schema-changes = true\n", least: Self.least + "tags = \"string[]\"\nmarks = \"int[]\"\n")
    try scene.connection.query("INSERT INTO \"Customer_tags\" VALUES (1, 0, 'x')")
    try await eventually { try await scene.object("Customer", 1)?["tags"] == .list([.value(.string("x"))]) }
    // The connector has the locks of the tables but for the last one.
    let (holder, other) = (
      try PostgresConnection(scene.database.parameters()), try PostgresConnection(scene.database.parameters())
    )
    let (first, last) = ("\"Customer_tags\"", "\"Customer_marks\"")
    try holder.query("BEGIN")
    try holder.query("INSERT INTO \(last) VALUES (1, 0, 7)")
    try await Self.addAge(scene)
    func waiters(_ table: String) throws -> Int {
      try scene.connection.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [table]
      ).count
    }
    try await eventually { try waiters(last) == 1 }
    async let altered: Void = onOwnThread { try other.query("ALTER TABLE \(first) ADD COLUMN note text") }
    try await eventually { try waiters(first) == 1 }
    try holder.query("COMMIT")
    try await waitForAge(scene)
    try await altered
    try await eventually { try await scene.object("Customer", 1)?["marks"] == .list([.value(.int(7))]) }
    await scene.end()
  }

  @Test("a transaction that is in the log and that reads do not show yet is waited for")
  func unseenTransaction() async throws {
    let scene = try await Self.scene("apply-schema-changes = true\n")
    let other = try PostgresConnection(scene.database.parameters())
    // A commit waits for the standby between the two.
    try scene.connection.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try scene.connection.query("SELECT pg_reload_conf()")
    try await eventually { try scene.connection.query("SHOW synchronous_standby_names")[0, 0] == "nobody" }
    async let altered: Void = onOwnThread {
      try other.query(
        "ALTER TABLE \"Customer\" ADD COLUMN since date DEFAULT '2020-01-02'; UPDATE \"Customer\" SET name = 'b'")
    }
    try await eventually {
      try scene.connection.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'").count > 0
    }
    let end = try scene.connection.query("SELECT pg_current_wal_flush_lsn()")[0, 0]
    try await eventually {
      try scene.connection.query("SELECT 1 FROM pg_stat_replication WHERE sent_lsn >= $1::pg_lsn", [end]).count > 0
    }
    try await Task.sleep(for: .milliseconds(200))
    try scene.connection.query("ALTER SYSTEM RESET synchronous_standby_names")
    try scene.connection.query("SELECT pg_reload_conf()")
    try await altered
    try await eventually {
      try await scene.object("Customer", 1)?["since"] == .value(.timestamp(Timestamp(seconds: 1_577_923_200)))
    }
    await scene.end()
  }

  @Test("a column that is dropped ends the connector with an explanation")
  func droppedColumn() async throws {
    let scene = try await Self.scene()
    try scene.connection.query("ALTER TABLE \"Customer\" DROP COLUMN name; INSERT INTO \"Customer\" VALUES (2)")
    let error = await #expect(throws: ConfigurationError.self) { try await scene.waitForEnd() }
    #expect(error?.description.contains("lost the columns name") == true)
    await scene.end()
  }

  @Test("a database that is missing is made, and tables that are missing are refused without create-schema")
  func creation() async throws {
    let scene = try await ConnectorScene(
      "name = \"a\"\n[postgres]\ncreate-database = true\n[realm]\npath = \"/shop\"\n" + Self.least)
    scene.configuration.connection["dbname"] = "made"
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try await scene.stopConnector()
    #expect(try scene.connection.query("SELECT 1 FROM pg_database WHERE datname = 'made'").count == 1)
    scene.configuration.connection["dbname"] = "postgres"
    scene.configuration.createsTables = false
    scene.start()
    let error = await #expect(throws: ConfigurationError.self) { try await scene.waitForEnd() }
    #expect(error?.description.contains("create-schema") == true)
    await scene.end()
  }
}
