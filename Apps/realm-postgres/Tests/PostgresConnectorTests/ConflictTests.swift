import DataModel
import Foundation
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

/// Both sides write the same few rows at the same time. `SEED` and `RUNS` say which seeds, each with a new server and a new database.
@Suite("conflicts of realms and tables", .serialized, .enabled(if: PostgresServer.isThere))
struct ConflictTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["SEED"].flatMap { UInt64($0) } ?? 1
    return (0..<(environment["RUNS"].flatMap { UInt64($0) } ?? 2)).map { first + $0 }
  }()

  private func customer(_ key: Int64) -> ObjectReference { ObjectReference(className: "Customer", key: .int(key)) }

  @Test("changes of both sides at the same time end equal, also those during the first load", arguments: seeds)
  func conflicts(_ seed: UInt64) async throws {
    let scene = try await ConnectorScene()
    var random = SeededGenerator(seed: seed)
    // The realm may be there before the connector, or come while it is live.
    if Bool.random(using: &random) { try await writeRealm(scene, -1, &random) }
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    for round in 0..<60 {
      if Bool.random(using: &random) { try await writeRealm(scene, round, &random) }
      try writeTable(scene, round, &random)
      if Int.random(in: 0..<8, using: &random) == 0 {
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...40, using: &random)))
      }
    }
    let difference = try await scene.settle()
    #expect(difference == nil, "seed \(seed)")
    #expect(scene.connector.progress.deadLetters == 0)
    await scene.end()
  }

  @Test("what the database commits while a first load waits for it stays, and the object has it")
  func loadAfterWriter() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let writer = try PostgresConnection(scene.database.parameters())
    try writer.query("BEGIN; INSERT INTO \"Customer\" VALUES (9, 'open')")
    let objects = [customer(1), customer(2)]
    try await scene.edit { editor in
      for object in objects {
        try editor.create(object)
        try editor.set(["name": .value(.string("realm"))], of: object)
      }
    }
    try await eventually { try scene.connection.query("SELECT 1 FROM pg_locks WHERE NOT granted").count > 0 }
    try writer.query("INSERT INTO \"Customer\" VALUES (1, 'table'); COMMIT")
    let difference = try await scene.settle()
    #expect(difference == nil)
    #expect(try await scene.object("Customer", 1)?["name"] == .value(.string("table")))
    #expect(try await scene.object("Customer", 9) != nil)
    await scene.end()
  }

  @Test("a link to an object that was deleted is null in the table, and comes back with the object from either side")
  func returningLink() async throws {
    let scene = try await ConnectorScene()
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let (owner, item) = (customer(1), ObjectReference(className: "Item", key: .int(1)))
    try await scene.edit { editor in
      try editor.create(owner)
      try editor.create(item)
      try editor.set(["owner": .value(.link(owner))], of: item)
    }
    func owners() throws -> [String?] {
      let rows = try scene.connection.query("SELECT owner FROM \"Item\"")
      return (0..<rows.count).map { rows[$0, 0] }
    }
    try await eventually { try owners() == ["1"] }
    for table in [false, true] {
      try await scene.erase(owner)
      try await eventually { try owners() == [nil] }
      #expect(try await scene.object("Item", 1)?["owner"] == .value(.link(owner)))
      if table {
        try scene.connection.query("INSERT INTO \"Customer\" VALUES (1, 'again')")
      } else {
        try await scene.edit { try $0.create(owner) }
      }
      try await eventually { try owners() == ["1"] }
    }
    #expect(try await scene.settle() == nil)
    #expect(scene.connector.progress.deadLetters == 0)
    await scene.end()
  }

  private func writeRealm(_ scene: ConnectorScene, _ round: Int, _ random: inout SeededGenerator) async throws {
    let object = customer(Int64.random(in: 0..<5, using: &random))
    let isDeletion = Int.random(in: 0..<3, using: &random) == 0
    try await scene.edit { editor in
      if isDeletion { return _ = try editor.erase(object) }
      try editor.create(object)
      try editor.set(["name": .value(.string("realm \(round)"))], of: object)
    }
  }

  private func writeTable(_ scene: ConnectorScene, _ round: Int, _ random: inout SeededGenerator) throws {
    let key = Int64.random(in: 0..<5, using: &random)
    let statement =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: "DELETE FROM \"Customer\" WHERE id = \(key)"
      case 1: "UPDATE \"Customer\" SET name = 'update \(round)' WHERE id = \(key)"
      default:
        "INSERT INTO \"Customer\" VALUES (\(key), 'table \(round)') ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name"
      }
    try scene.connection.query(statement)
  }
}
