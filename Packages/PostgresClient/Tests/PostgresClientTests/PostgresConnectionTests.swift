import PostgresClient
import PostgresClientTestSupport
import TestKit
import Testing

@Suite("connections to PostgreSQL", .serialized, .enabled(if: PostgresServer.isThere))
struct PostgresConnectionTests {
  private func with(_ body: @escaping @Sendable (PostgresConnection) throws -> Void) async throws {
    let server = try await PostgresServer()
    do {
      try await onOwnThread { try body(try PostgresConnection(server.parameters())) }
    } catch {
      await server.remove()
      throw error
    }
    await server.remove()
  }

  @Test("texts, numbers, bytes and NULL come back as they were sent")
  func parameters() async throws {
    try await with { connection in
      try connection.query("CREATE TABLE kept(id bigint PRIMARY KEY, name text, content bytea)")
      let all = (0...255).map { UInt8($0) }
      try connection.query(
        "INSERT INTO kept VALUES ($1, $2, $3), ($4, $5, $6)",
        parameters: [.integer(.min), .text("Zoë's \\ \"tab\""), .bytes(all), .integer(2), .null, .bytes([])])
      let rows = try connection.query("SELECT id, name, content FROM kept ORDER BY id")
      #expect(rows.integer(0, 0) == .min)
      #expect(rows[0, 1] == "Zoë's \\ \"tab\"")
      #expect(rows.bytes(0, 2) == all)
      #expect(rows[1, 1] == nil)
      #expect(rows.bytes(1, 2) == [])
      #expect(rows.bytes(2, 2) == nil)
    }
  }

  @Test("a prepared statement answers as one that is not, each time")
  func prepared() async throws {
    try await with { connection in
      for number in 0..<3 {
        let rows = try connection.query(
          prepared: "sum", "SELECT $1::bigint + 1, $2::bytea", parameters: [.integer(Int64(number)), .bytes([0, 255])])
        #expect(rows.integer(0, 0) == Int64(number) + 1)
        #expect(rows.bytes(0, 1) == [0, 255])
      }
      #expect(throws: PostgresError.self) { try connection.query(prepared: "bad", "SELEC", parameters: []) }
    }
  }

  @Test("work that throws leaves nothing, and the connection goes on")
  func rollback() async throws {
    struct Stopped: Error {}
    try await with { connection in
      try connection.query("CREATE TABLE kept(id bigint PRIMARY KEY)")
      #expect(throws: Stopped.self) {
        try connection.transaction {
          try connection.query("INSERT INTO kept VALUES (1)")
          throw Stopped()
        }
      }
      #expect(try connection.query("SELECT 1 FROM kept").count == 0)
    }
  }

  @Test("an error has the five characters of PostgreSQL, and says whether trying again may help")
  func errors() async throws {
    try await with { connection in
      do {
        try connection.query("SELECT * FROM missing")
        Issue.record("the table is missing")
      } catch let error as PostgresError {
        #expect(error.state == "42P01")
        #expect(!error.isPassing)
        #expect(!error.isConnectionLost)
      }
      #expect(PostgresError(state: "40P01", message: "deadlock").isPassing)
    }
  }

  @Test("a copy that is given up copies nothing")
  func copies() async throws {
    struct Stopped: Error {}
    try await with { connection in
      try connection.query("CREATE TABLE kept(id bigint, name text)")
      #expect(throws: Stopped.self) {
        try connection.copyIn("COPY kept FROM STDIN") { send in
          try send(Array("1\tAda\n".utf8))
          throw Stopped()
        }
      }
      #expect(try connection.query("SELECT 1 FROM kept").count == 0)
      var lines: [UInt8] = []
      PostgresConnection.addCopyLine(["2", "a\tb\\c\nd"], to: &lines)
      PostgresConnection.addCopyLine(["3", nil], to: &lines)
      let sent = lines
      try connection.copyIn("COPY kept FROM STDIN") { try $0(sent) }
      let rows = try connection.query("SELECT name FROM kept ORDER BY id")
      #expect(rows[0, 0] == "a\tb\\c\nd")
      #expect(rows[1, 0] == nil)
    }
  }
}
