import DataModel
import PostgresClient
import RecordStore
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
  private static func scene(_ settings: String = "") async throws -> ConnectorScene {
    let scene = try await ConnectorScene("name = \"a\"\n[realm]\npath = \"/shop\"\n" + settings + least)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query("INSERT INTO \"Customer\" VALUES (1, 'a')")
    try await eventually { try await scene.object("Customer", 1) != nil }
    return scene
  }

  @Test("with apply-schema-changes new properties become columns, and new columns properties")
  func schemaChanges() async throws {
    let scene = try await Self.scene("apply-schema-changes = true\n")
    let wider = try #require(scene.configuration.schema["Customer"])
    try await scene.edit { editor in
      var layout = wider
      layout.properties.append(Property(name: "age", type: .int))
      try editor.addClasses(Schema([layout]))
      try editor.set(["age": .value(.int(30))], of: Self.customer(1))
    }
    try await eventually {
      (try? scene.connection.query("SELECT age FROM \"Customer\" WHERE id = 1")[0, 0]) == "30"
    }
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
