import ByteCoding
import ChangesetOT
import DataModel
import Foundation
import TestKit
import Testing

@testable import realm_object_server

@Suite("tutorial 10", .serialized)
struct ConnectorTutorialTests {
  /// The connector of tutorial 10, as the text has it.
  private func connectorOfTutorial(in folder: String) throws -> String {
    let text = try String(
      contentsOf: RepositoryFiles.root().appendingPathComponent("Docs/Tutorials/10-your-own-connector.md"),
      encoding: .utf8)
    let parts = text.components(separatedBy: "```python\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let file = folder + "/connector.py"
    try parts.joined(separator: "\n\n").write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test("tutorial 10: a table of SQLite and a realm are equal in the end, though connector and server are killed")
  func tutorial() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
      return print("tutorial 10: skipped, there is no python3")
    }
    let scene = try await EventScene()
    defer { scene.end() }
    let script = try connectorOfTutorial(in: scene.folder)
    let rounds = Int(ProcessInfo.processInfo.environment["RUNS"] ?? "") ?? 3
    let database = scene.folder + "/shop.sqlite"
    var server = try scene.server()
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let path = "/\(user.id.rawValue)/tasks"
    let client = try user.client(of: server)
    let file = try await client.open("/~/tasks")
    client.upload(version: 2, bytes: Self.tasks)
    try await client.wait("the class") { $0.acknowledged == 2 }
    client.abort()
    let keys = FileManager.default.contents(atPath: scene.data + "/keys/admin.json") ?? Data()
    let token = try #require(try JSONValue(parsing: Array(keys))["ADMIN_TOKEN"]?.string)

    func python(_ arguments: [String]) throws -> ChildProcess {
      let process = ChildProcess()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    func connector(_ server: ServerProcess) throws -> ChildProcess {
      try python([script, "http://127.0.0.1:\(server.port)", token, path, database])
    }
    func tableRows() throws -> [String] {
      let process = ChildProcess(), output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = [
        "-c",
        "import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute('SELECT * FROM Task'): print(row[0], row[1])",
        database,
      ]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitForEnd()
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }
    func realmRows(_ server: ServerProcess) async throws -> [String] {
      let answer = try await scene.call(server.port, "GET", "adapters/check/contents?path=\(path)")
      return try (answer?.body ?? []).split(separator: 0x0A).compactMap { line -> String? in
        let steps = try JSONValue(parsing: Array(line))["instructions"]?.elements ?? []
        guard let insert = steps.first, insert["type"]?.string == "INSERT", let key = insert["identity"]?.integer else {
          return nil
        }
        return "\(key) \(insert["values"]?["title"]?.string ?? "")"
      }.sorted()
    }

    for round in 0..<rounds {
      let running = try connector(server)
      try await eventually("the table") { FileManager.default.fileExists(atPath: database) }
      let writer = try python([
        "-c",
        """
        import random, sqlite3, sys, time
        db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
        while not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'gone'").fetchone(): time.sleep(0.01)
        for step in range(20):
            key = random.randrange(12)
            if random.random() < 0.2: db.execute("DELETE FROM Task WHERE id = ?", (key,))
            else: db.execute("INSERT INTO Task VALUES (?, ?, 0) ON CONFLICT(id) DO UPDATE SET title = excluded.title", (key, f"table \(round).{step}"))
            time.sleep(random.random() / 50)
        """, database,
      ])
      let author = try user.client(of: server)
      _ = try await author.open("/~/tasks", as: file)
      var next = author.now.acknowledged + 1
      for step in 0..<20 {
        author.upload(version: next, bytes: Self.task(Int64.random(in: 0..<12), "realm \(round).\(step)", next))
        next += 1
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
      }
      if Bool.random() { running.signal(SIGKILL) }
      if Bool.random() { server.kill() }
      _ = await Task.detached { writer.waitForEnd() }.value
      running.signal(SIGKILL)
      _ = await Task.detached { running.waitForEnd() }.value
      author.abort()
      if server.process.isRunning { server.kill() }
      server = try scene.server()
    }
    let last = try connector(server)
    defer { last.signal(SIGKILL) }
    // Equal, and still equal after the connector has had time for whatever it did not do yet.
    var equal = 0
    try await eventually("equal rows") {
      let (table, realm) = (try tableRows(), try await realmRows(server))
      equal = table == realm && !table.isEmpty ? equal + 1 : 0
      try await Task.sleep(for: .milliseconds(300))
      return equal == 8
    }
    #expect(server.stop() == 0)
  }

  private static var tasks: [UInt8] {
    Changeset(
      instructions: [
        .addTable(AddTable(table: "Task", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        .addColumn(AddColumn(table: "Task", field: "title", type: .string)),
        .addColumn(AddColumn(table: "Task", field: "done", type: .bool)),
      ], origin: ChangesetOrigin(timestamp: OriginTimestamp(2), file: .none)
    ).encoded()
  }

  private static func task(_ key: Int64, _ title: String, _ number: UInt64) -> [UInt8] {
    let task = ObjectReference(className: "Task", key: .int(key))
    let now = OriginTimestamp(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    return Changeset(
      instructions: [
        .createObject(CreateObject(object: task)),
        .update(Update(target: Target(object: task, field: "title"), payload: .string(title))),
      ], origin: ChangesetOrigin(timestamp: now, file: .none)
    ).encoded()
  }
}
