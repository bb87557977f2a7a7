import DataModel
import Foundation
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

@Suite("options of the connector", .serialized, .enabled(if: PostgresServer.isThere))
struct OptionTests {
  private static func customer(_ key: Int64) -> ObjectReference {
    ObjectReference(className: "Customer", key: .int(key))
  }

  private static let least = """
    [class.Customer]
    primary-key = "id"
    id = "int"
    name = "string?"

    """

  @Test("a realm for each owner: rows go to the realm that their columns name, and carry its columns")
  func pathColumns() async throws {
    let scene = try await ConnectorScene(
      "name = \"a\"\n[realm]\npath = \"/{owner}/shop\"\npattern = \"^/(ann|bob)/\"\n" + Self.least)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query(
      "INSERT INTO \"Customer\" VALUES (1, 'a', 'ann'), (2, 'b', 'bob'), (3, 'c', 'eve')")
    try await eventually { try await scene.object("Customer", 2, in: "/bob/shop") != nil }
    #expect(try await scene.object("Customer", 1, in: "/ann/shop")?["name"] == .value(.string("a")))
    #expect(try await scene.object("Customer", 2, in: "/ann/shop") == nil)
    #expect(try await scene.object("Customer", 3, in: "/eve/shop") == nil)
    try await scene.edit("/ann/shop") { _ = try $0.create(Self.customer(4)) }
    try await eventually {
      try scene.connection.query("SELECT owner FROM \"Customer\" WHERE id = 4")[0, 0] == "ann"
    }
    try scene.connection.query("UPDATE \"Customer\" SET owner = 'bob' WHERE id = 1")
    try await eventually { try await scene.object("Customer", 1, in: "/bob/shop") != nil }
    try await eventually { try await scene.object("Customer", 1, in: "/ann/shop") == nil }
    // A key of another realm's row is not taken over.
    try await scene.edit("/ann/shop") { _ = try $0.create(Self.customer(2)) }
    try await eventually { scene.connector.progress.deadLetters == 1 }
    #expect(try scene.connection.query("SELECT owner FROM \"Customer\" WHERE id = 2")[0, 0] == "bob")
    await scene.end()
  }

  @Test("embedded objects and lists of them stand in tables of their own when the settings say so, both ways")
  func embeddedTables() async throws {
    let scene = try await ConnectorScene(
      """
      name = "a"
      [realm]
      path = "/shop"
      [columns]
      "Customer.name" = "full_name"
      [tables]
      Customer = "customers"
      "Customer.places" = "places"
      [embedded]
      "Customer.home" = "table"
      "Customer.places" = "table"
      [class.Place]
      embedded = true
      city = "string?"
      zip = "int"
      [class.Customer]
      primary-key = "id"
      id = "int"
      name = "string?"
      home = "Place"
      places = "Place[]"
      """)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query(
      """
      BEGIN;
      INSERT INTO customers (id, full_name) VALUES (1, 'Ann'), (2, 'Bob');
      INSERT INTO "customers_home" (oid, city, zip) VALUES (1, 'Ulm', 5);
      INSERT INTO places (oid, idx, city, zip) VALUES (1, 0, 'a', 1), (1, 1, 'b', 2);
      COMMIT
      """)
    try await eventually { try await scene.object("Customer", 1) != nil }
    let difference1 = try await scene.settle()
    #expect(difference1 == nil)
    let ann = try await scene.object("Customer", 1)
    #expect(ann?["home"] == .embedded(["city": .value(.string("Ulm")), "zip": .value(.int(5))]))
    try await scene.edit { editor in
      try editor.set(
        [
          "home": .value(.null),
          "places": .list([.embedded(["city": .value(.string("c")), "zip": .value(.int(9))])]),
        ], of: Self.customer(1))
      try editor.set(["home": .embedded(["city": .value(.null), "zip": .value(.int(1))])], of: Self.customer(2))
    }
    try await eventually { try scene.connection.query("SELECT zip FROM places").row(0) == ["9"] }
    let difference2 = try await scene.settle()
    #expect(difference2 == nil)
    try scene.connection.query("UPDATE places SET city = 'd'; UPDATE customers_home SET zip = 7")
    try await eventually {
      try await scene.object("Customer", 2)?["home"] == .embedded(["city": .value(.null), "zip": .value(.int(7))])
    }
    let difference3 = try await scene.settle()
    #expect(difference3 == nil)
    await scene.end()
  }

  @Test("a trigger's values, and a column's form of them, come back to the object")
  func triggers() async throws {
    let scene = try await ConnectorScene("name = \"a\"\n[realm]\npath = \"/shop\"\n" + Self.least) { connection in
      try connection.query(
        """
        CREATE TABLE "Customer" (id bigint PRIMARY KEY, name text);
        CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name = upper(NEW.name); RETURN NEW; END $$;
        CREATE TRIGGER loud BEFORE INSERT OR UPDATE ON "Customer" FOR EACH ROW EXECUTE FUNCTION loud();
        """)
    }
    try await scene.edit { editor in
      try editor.create(Self.customer(1))
      try editor.create(Self.customer(2))
    }
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try await scene.edit { try $0.set(["name": .value(.string("ann"))], of: Self.customer(1)) }
    try await eventually { try await scene.object("Customer", 1)?["name"] == .value(.string("ANN")) }
    let difference4 = try await scene.settle()
    #expect(difference4 == nil)
    #expect(scene.connector.progress.deadLetters == 0)
    await scene.end()
  }

  @Test("a slot that is gone ends the connector, and goes on when it is reset: the tables take the realm's state")
  func lostSlot() async throws {
    let scene = try await ConnectorScene("name = \"a\"\n[realm]\npath = \"/shop\"\n" + Self.least)
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query("INSERT INTO \"Customer\" VALUES (1, 'a')")
    try await eventually { try await scene.object("Customer", 1) != nil }
    try await scene.stopConnector()
    try await eventually {
      (try? scene.connection.query("SELECT pg_drop_replication_slot('openrealm_a')")) != nil
    }
    try scene.connection.query("UPDATE \"Customer\" SET name = 'not told'")
    scene.start()
    await #expect(throws: ConnectorError.self) { try await scene.waitForEnd() }
    scene.configuration.resetsSlot = true
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let difference5 = try await scene.settle()
    #expect(difference5 == nil)
    #expect(try scene.connection.query("SELECT name FROM \"Customer\"")[0, 0] == "a")
    try scene.connection.query("UPDATE \"Customer\" SET name = 'told'")
    try await eventually { try await scene.object("Customer", 1)?["name"] == .value(.string("told")) }
    await scene.end()
  }
}
