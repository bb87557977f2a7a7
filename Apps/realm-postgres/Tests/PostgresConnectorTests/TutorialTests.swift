import DataModel
import Foundation
import PostgresClient
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import PostgresConnector

@Suite("tutorial 9", .enabled(if: PostgresServer.isThere))
struct TutorialTests {
  private static func blocks(_ language: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Docs/Tutorials/09-postgresql.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test("the tutorial does what it says")
  func tutorial() async throws {
    let (sql, toml) = (try Self.blocks("sql"), try Self.blocks("toml"))
    try #require(sql.count == 2)
    let scene = try await ConnectorScene(try #require(toml.first)) { try $0.query(sql[0]) }
    scene.start()
    try await eventually { scene.connector.progress.isLive }
    let first = try #require(try await scene.object("Film", 1, in: "/films"))
    #expect(first["title"] == .value(.string("ACADEMY DINOSAUR")))
    #expect(first["language"] == .value(.link(ObjectReference(className: "Language", key: .int(1)))))
    #expect(
      first["specialFeatures"] == .list([.value(.string("Deleted Scenes")), .value(.string("Behind the Scenes"))]))
    #expect(try await scene.object("Language", 1, in: "/films")?["name"] == .value(.string("English")))

    try scene.connection.query(sql[1])
    try await eventually {
      try await scene.object("Film", 1, in: "/films")?["rentalRate"] == .value(.decimal128("0.99"))
    }
    let actor = StateDump.Item.value(.link(ObjectReference(className: "Actor", key: .int(1))))
    #expect(try await scene.object("Film", 1, in: "/films")?["actors"] == .list([actor]))

    let film = ObjectReference(className: "Film", key: .int(2))
    try await scene.edit("/films") { editor in
      try editor.set(
        [
          "rating": .value(.string("PG-13")),
          "language": .value(.link(ObjectReference(className: "Language", key: .int(2)))),
        ], of: film)
    }
    try await eventually {
      try scene.connection.query("SELECT rating, language_id FROM film WHERE film_id = 2").row(0) == ["PG-13", "2"]
    }
    let difference1 = try await scene.settle("/films")
    #expect(difference1 == nil)

    try await scene.edit("/films") { editor in
      try editor.set(
        ["rating": .value(.string("PG-99"))], of: ObjectReference(className: "Film", key: .int(1)))
    }
    try await eventually { try scene.connection.query("SELECT 1 FROM openrealm.dead_letters").count == 1 }
    let letter = try scene.connection.query("SELECT class, key, reason FROM openrealm.dead_letters")
    #expect(letter[0, 0] == "Film")
    #expect(letter[0, 1] == "1")
    #expect(letter[0, 2]?.contains("invalid input value for enum mpaa_rating: \"PG-99\"") == true)
    await scene.end()
  }
}
