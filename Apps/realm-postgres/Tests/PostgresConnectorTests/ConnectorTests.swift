import DataModel
import Foundation
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

@Suite("the connector between realms and tables", .serialized, .enabled(if: PostgresServer.isThere))
struct ConnectorTests {
  private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }
  private func customer(_ key: Int64) -> ObjectReference { ObjectReference(className: "Customer", key: .int(key)) }

  @Test("a realm fills new tables, and later changes of every kind follow")
  func realmToTables() async throws {
    let scene = try await ConnectorScene()
    let (ann, pen) = (customer(1), item(1))
    try await scene.edit { editor in
      try editor.create(ann)
      try editor.set(["name": .value(.string("Ann"))], of: ann)
      try editor.create(pen)
      try editor.set(
        [
          "title": .value(.string("pen \\ \t\n'\"")), "price": .value(.decimal128("12.50")),
          "weight": .value(.double(0.1)),
          "made": .value(.timestamp(Timestamp(seconds: -1, nanoseconds: -500_000_000))),
          "code": .value(.uuid(UUID())), "picture": .value(.data([0, 255, 92])), "sold": .value(.bool(true)),
          "owner": .value(.link(ann)), "tags": .list([.value(.string("a")), .value(.string("a"))]),
          "buyers": .list([.value(.link(ann))]), "marks": .set([.int(3), .int(-1)]),
          "notes": .dictionary(["k": .value(.string("v"))]),
          "place": .embedded(["city": .value(.string("Ulm")), "zip": .value(.int(89073))]),
          "anything": .value(.list([.int(1), .double(1), .string("x"), .dictionary(["a": .null])])),
        ], of: pen)
    }
    scene.start()
    let difference1 = try await scene.settle()
    #expect(difference1 == nil)
    let row = try scene.connection.query("SELECT title, price, owner, place->>'city' FROM \"Item\"")
    #expect(row.row(0) == ["pen \\ \t\n'\"", "12.50", "1", "Ulm"])
    try await scene.edit { editor in
      try editor.set(["title": .value(.null), "tags": .list([.value(.string("b"))])], of: pen)
      try editor.create(self.item(2))
      try editor.set(["owner": .value(.link(ann))], of: self.item(2))
    }
    try await eventually { try scene.connection.query("SELECT 1 FROM \"Item\" WHERE id = 2").count == 1 }
    let difference2 = try await scene.settle()
    #expect(difference2 == nil)
    try await scene.edit { _ = try $0.erase(pen) }
    try await eventually { try scene.connection.query("SELECT 1 FROM \"Item\" WHERE id = 1").count == 0 }
    let difference3 = try await scene.settle()
    #expect(difference3 == nil)
    await scene.end()
  }

  @Test("changes of tables come to the realm, with links, lists and JSON")
  func tablesToRealm() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query(
      """
      BEGIN;
      INSERT INTO "Customer" VALUES (1, 'Ann'), (2, NULL);
      INSERT INTO "Item" (id, title, price, owner, marks, notes, place, anything, made)
        VALUES (7, 'pen', 1.5, 1, '[1,2]', '{"a":"b"}', '{"zip":5}', '{"$list":[1,"x"]}', '2024-02-29 12:00:00.123456+00');
      INSERT INTO "Item_tags" VALUES (7, 0, 'x'), (7, 1, 'y');
      INSERT INTO "Item_buyers" VALUES (7, 0, 2), (7, 1, 1);
      COMMIT
      """)
    try await eventually { try await scene.object("Item", 7) != nil }
    let difference4 = try await scene.settle()
    #expect(difference4 == nil)
    let pen = try #require(try await scene.object("Item", 7))
    #expect(pen["buyers"] == .list([.value(.link(customer(2))), .value(.link(customer(1)))]))
    #expect(pen["owner"] == .value(.link(customer(1))))
    #expect(pen["price"] == .value(.decimal128("1.5")))
    try scene.connection.query(
      "UPDATE \"Item\" SET title = 'new', owner = NULL WHERE id = 7; DELETE FROM \"Item_tags\" WHERE idx = 0")
    try await eventually { try await scene.object("Item", 7)?["title"] == .value(.string("new")) }
    try scene.connection.query("DELETE FROM \"Customer\" WHERE id = 2")
    try await eventually { try await scene.object("Customer", 2) == nil }
    let difference5 = try await scene.settle()
    #expect(difference5 == nil)
    #expect(scene.connector.progress.deadLetters == 0)
    await scene.end()
  }

  @Test("realms are filled from tables that exist, with renamed classes, enums and arrays")
  func fromExistingTables() async throws {
    let scene = try await ConnectorScene(
      """
      name = "bus"
      [postgres]
      create-schema = false
      [realm]
      path = "/bus"
      initialize-from-postgres = true
      [tables]
      Chauffeur = "Driver"
      [types]
      year = "integer"
      [class.Chauffeur]
      primary-key = "id"
      id = "int"
      name = "string?"
      employ_date = "date?"
      kind = "string?"
      routes = "string?[]"
      since = "int?"
      """
    ) { connection in
      try connection.query(
        """
        CREATE TYPE kind AS ENUM ('day', 'night');
        CREATE DOMAIN year AS integer;
        CREATE TABLE "Driver" (id integer PRIMARY KEY, name varchar(20), employ_date date, kind kind, routes text[],
          since year, fare money);
        INSERT INTO "Driver" SELECT n, 'driver ' || n, date '2020-01-01' + n, 'night', ARRAY['a "b"', NULL, 'c,d'], 2000 + n
          FROM generate_series(1, 5000) n
        """)
    }
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let ann = try await scene.object("Chauffeur", 5_000, in: "/bus")
    #expect(ann?["name"] == .value(.string("driver 5000")))
    #expect(ann?["kind"] == .value(.string("night")))
    #expect(ann?["since"] == .value(.int(7_000)))
    let driver = ObjectReference(className: "Chauffeur", key: .int(1))
    try await scene.edit("/bus") { try $0.set(["kind": .value(.string("day"))], of: driver) }
    try await eventually {
      try scene.connection.query("SELECT kind FROM \"Driver\" WHERE id = 1")[0, 0] == "day"
    }
    await scene.end()
  }

  @Test("what does not fit is kept with the reason, and the rest goes on")
  func deadLetters() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query(
      "INSERT INTO \"Item\" (id, price) VALUES (1, 12345678901234567890123456789012345678901), (2, 5)")
    try await eventually { try await scene.object("Item", 2) != nil }
    #expect(try await scene.object("Item", 1) == nil)
    let (bad, good) = (customer(1), customer(2))
    try await scene.edit { editor in
      for object in [bad, good] { try editor.create(object) }
      try editor.set(["name": .value(.string("a\0b"))], of: bad)
    }
    try await eventually { try scene.connection.query("SELECT 1 FROM \"Customer\" WHERE id = 2").count == 1 }
    let letters = try scene.connection.query("SELECT direction, class, key FROM openrealm.dead_letters ORDER BY id")
    #expect(letters.row(0) == ["to-realm", "Item", "1"])
    #expect(letters[1, 1] == "Customer")
    await scene.end()
  }

  @Test("a database that is killed pauses the connector, and nothing is lost; nor when the connector starts anew")
  func restarts() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    try scene.connection.query("INSERT INTO \"Customer\" VALUES (1, 'a')")
    await scene.database.kill()
    let object = customer(2)
    try await scene.edit { editor in
      try editor.create(object)
      try editor.set(["name": .value(.string("while it was down"))], of: object)
    }
    try await scene.database.start()
    let connection = try PostgresConnection(scene.database.parameters())
    try await eventually { try connection.query("SELECT 1 FROM \"Customer\"").count == 2 }
    try await eventually { try await scene.object("Customer", 1) != nil }
    try await scene.stopConnector()
    try connection.query("INSERT INTO \"Customer\" VALUES (3, 'while it was stopped')")
    scene.start()
    try await eventually { try await scene.object("Customer", 3) != nil }
    await scene.end()
  }

  @Test("what was dealt with before a crash of the database is not dealt with again")
  func replay() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let (first, second) = (customer(1), customer(2))
    for number in 0..<12 {
      let text = "state \(number)"
      try await scene.edit { editor in
        try editor.create(first)
        try editor.set(["name": .value(.string(text))], of: first)
      }
      try await eventually {
        try scene.connection.query("SELECT name FROM \"Customer\" WHERE id = 1")[0, 0] == text
      }
    }
    try scene.connection.query("INSERT INTO \"Customer\" VALUES (3, 'behind them in the log')")
    try await eventually { try await scene.object("Customer", 3) != nil }
    // Its row takes along how far the slot is.
    try await scene.edit { try $0.create(second) }
    try await eventually { try scene.connection.query("SELECT 1 FROM \"Customer\"").count == 3 }
    await scene.database.kill()
    try await scene.database.start()
    let connection = try PostgresConnection(scene.database.parameters())
    try connection.query("INSERT INTO \"Customer\" VALUES (4, 'afterwards')")
    try await eventually { try await scene.object("Customer", 4) != nil }
    #expect(scene.connector.progress.conflicts == 0)
    await scene.end()
  }

  @Test("tables of the connector that an older version made are extended")
  func olderTables() async throws {
    let scene = try await ConnectorScene(prepare: { connection in
      try connection.query(
        "CREATE SCHEMA openrealm; CREATE TABLE openrealm.progress (connector text, realm text, version bigint NOT NULL, "
          + "salt bigint NOT NULL, PRIMARY KEY (connector, realm))")
    })
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let one = customer(1)
    try await scene.edit { try $0.create(one) }
    try await eventually { try scene.connection.query("SELECT 1 FROM \"Customer\"").count == 1 }
    try await eventually { try scene.connection.query("SELECT slot_position FROM openrealm.progress").count == 1 }
    await scene.end()
  }
}
