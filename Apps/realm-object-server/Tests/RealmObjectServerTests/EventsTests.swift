import ByteCoding
import ChangesetOT
import DataModel
import Foundation
import Synchronization
import TestKit
import Testing
import Transport
import TransportReal

@testable import realm_object_server

/// Webhooks and adapters of a real server process, which is killed.
@Suite("events of a real server process", .serialized)
struct EventsTests {
  /// A receiver of webhooks on this machine.
  final class Receiver: HTTPServerHandler {
    let messages = Mutex<[(event: String, body: JSONValue?)]>([])
    let refuses = Atomic<Bool>(false)

    var events: [String] { messages.withLock { $0.map(\.event) } }

    func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
      guard !refuses.load(ordering: .relaxed) else { return responder.respond(HTTPResponse(status: 503)) }
      let message = (
        event: request.headers["X-OpenRealm-Event"] ?? "", body: try? JSONValue(parsing: request.body)
      )
      messages.withLock { $0.append(message) }
      responder.respond(HTTPResponse(status: 204))
    }

    func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
      responder.refuse(HTTPResponse(status: 404))
    }
  }

  /// A receiver, a folder, and settings that name it.
  private struct Scene: Sendable {
    let folder = ServerProcess.temporaryFolder()
    let loop: EventLoop
    let network: RealNetwork
    let receiver = Receiver()
    let listener: any Listener

    var data: String { folder + "/data" }
    var settings: String { folder + "/server.toml" }

    init() async throws {
      loop = try EventLoop(name: "receiver")
      network = RealNetwork(loop: loop)
      listener = try await network.listen(on: ListenAddress(host: "127.0.0.1", port: 0), handler: receiver)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try """
      webhook-retries = 2

      [webhook.copy]
      url = "http://\(listener.address)/hook"
      pattern = "^/[^/]+/orders$"
      """.write(toFile: settings, atomically: true, encoding: .utf8)
    }

    func server() throws -> ServerProcess {
      try ServerProcess(data: data, arguments: ["--port", "0", "--config", settings])
    }

    /// A call of the administration API of a server; nil when it does not answer.
    func call(_ port: Int, _ method: String, _ path: String, body: String = "") async throws -> HTTPResponse? {
      let file = FileManager.default.contents(atPath: data + "/keys/admin.json") ?? Data()
      let token = try JSONValue(parsing: Array(file))["ADMIN_TOKEN"]?.string ?? ""
      let url = try NetworkURL("http://127.0.0.1:\(port)/api/openrealm/v1/admin/" + path)
      do {
        return try await network.response(
          to: HTTPClientRequest(
            method: method, url: url, headers: ["Authorization": "Bearer " + token], body: Array(body.utf8)))
      } catch is TransportError {
        return nil
      }
    }

    func end() {
      loop.shutDown()
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  @Test("a message that is never accepted is listed and sent again by commands")
  func deadLetters() async throws {
    let scene = try await Scene()
    defer { scene.end() }
    let server = try scene.server()
    let user = try await ServerUser(of: server)
    defer { user.end() }
    scene.receiver.refuses.store(true, ordering: .relaxed)
    let client = try user.client(of: server)
    _ = try await client.open("/~/orders")
    client.upload(version: 2, bytes: KillTests.changeset(2))
    func run(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
      try ServerProcess.run(["webhooks"] + words + ["--data", scene.data])
    }
    try await eventually("a dead letter") { try run("letters").output.contains("copy") }
    let list = try run("list")
    #expect(list.status == 0)
    #expect(list.output.contains("^/[^/]+/orders$"))
    let letters = try run("letters", "--json")
    let letter = try #require(try JSONValue(parsing: Array(letters.output.utf8)).elements?.first)
    #expect(letter["reason"]?.string?.contains("503") == true)
    let id = try #require(letter["id"]?.string)
    #expect(try run("send", id).status == 1, "it is refused again")
    scene.receiver.refuses.store(false, ordering: .relaxed)
    #expect(try run("send").output.contains("accepted 1 of 1"))
    #expect(scene.receiver.events.count == 1)
    #expect(try run("letters", "--json").output == "[]\n")
    #expect(try run("delete", id).status == 1)
    #expect(try run("send", "--json").status == 0)
    client.abort()
    #expect(server.stop() == 0)
  }

  @Test("killed again and again, the server delivers every transaction, and a connector's effects are there once")
  func killed() async throws {
    let scene = try await Scene()
    defer { scene.end() }
    let rounds = Int(ProcessInfo.processInfo.environment["RUNS"] ?? "") ?? 4
    var server = try scene.server()
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    let (source, target) = ("/\(user.id.rawValue)/orders", "/\(user.id.rawValue)/copies")
    // Both realms exist, and the webhook and the connector know the first one from its beginning.
    let begin = try user.client(of: server)
    let file = try await begin.open("/~/orders")
    begin.abort()
    let other = try user.client(of: server)
    _ = try await other.open("/~/copies")
    other.upload(version: 2, bytes: Self.counter)
    try await other.wait("the class") { $0.acknowledged == 2 }
    other.abort()

    var next: UInt64 = 2
    for _ in 0..<rounds {
      let author = try user.client(of: server)
      _ = try await author.open("/~/orders", as: file)
      next = max(2, author.now.acknowledged + 1)
      let limit = UInt64.random(in: 1...40)
      let start = next
      let port = server.port
      async let connected: Void = connect(scene, port, source, target)
      while author.now.acknowledged < start + limit, next < start + 400 {
        author.upload(version: next, bytes: KillTests.changeset(next))
        next += 1
        if next.isMultiple(of: 5) { try await Task.sleep(for: .milliseconds(Int.random(in: 0...3))) }
      }
      server.kill()
      author.abort()
      try await connected
      server = try scene.server()
    }
    let author = try user.client(of: server)
    _ = try await author.open("/~/orders", as: file)
    let last = author.now.acknowledged
    let reader = try user.client(of: server)
    _ = try await reader.open("/~/orders")
    let versions = reader.now.entries.map(\.cursor.server.rawValue)
    #expect(versions.count == Int(last) - 1)
    author.abort()
    reader.abort()

    try await connect(scene, server.port, source, target, untilNothing: true)
    let wanted = Set(versions)
    try await eventually("every transaction") {
      Set(scene.receiver.messages.withLock { $0.compactMap { $0.body?["version"]?.unsignedInteger } }) == wanted
    }
    var told: [UInt64] = []
    for message in scene.receiver.messages.withLock({ $0 }) {
      guard let version = message.body?["version"]?.unsignedInteger, version > told.last ?? 0 else { continue }
      told.append(version)
    }
    #expect(told == versions, "in order, none left out")
    let objects = try await scene.call(
      server.port, "GET", "adapters/check/contents?path=\(target)")
    let counted = try #require(objects).body.split(separator: 0x0A).compactMap { line in
      try? JSONValue(parsing: Array(line))["instructions"]?.elements?.first { $0["type"]?.string == "INSERT" }?[
        "values"]?[
          "count"]?.integer
    }
    #expect(counted == [Int64(versions.count)], "each transaction counts once")
    #expect(server.stop() == 0)
  }

  /// The class of the counter that the connector's effect is.
  private static var counter: [UInt8] {
    Changeset(
      instructions: [
        .addTable(AddTable(table: "Counter", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        .addColumn(AddColumn(table: "Counter", field: "count", type: .int)),
      ], origin: ChangesetOrigin(timestamp: OriginTimestamp(2), file: .none)
    ).encoded()
  }

  /// A connector without memory: it carries transactions until the server does not answer, or there are none.
  private func connect(
    _ scene: Scene, _ port: Int, _ source: String, _ target: String, untilNothing: Bool = false
  ) async throws {
    while true {
      guard
        let answer = try await scene.call(
          port, "GET", "adapters/count/transactions?path=\(source)&limit=7&wait=1"), answer.status == 200
      else { return }
      let lines = try answer.body.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
      if lines.isEmpty, untilNothing { return }
      for line in lines {
        let position = line["position"]?.string ?? ""
        let number = position.prefix { $0 != "-" }
        let effect =
          #"{"path":"\#(target)","number":\#(number),"instructions":["#
          + #"{"type":"INSERT","object_type":"Counter","identity":1,"values":{}},"#
          + #"{"type":"INCREMENT","object_type":"Counter","identity":1,"property":"count","amount":1}]}"#
        guard try await scene.call(port, "POST", "adapters/count/transactions", body: effect)?.status == 200,
          // It is stopped between the effect and the position, too.
          Int.random(in: 0..<20) > 0,
          try await scene.call(
            port, "POST", "adapters/count/position", body: #"{"path":"\#(source)","position":"\#(position)"}"#)?
            .status == 204
        else { break }
      }
    }
  }

  /// The connector of tutorial 10, as the text has it.
  private func connectorOfTutorial(in folder: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/Tutorials/10-your-own-connector.md"), encoding: .utf8)
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
    let scene = try await Scene()
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

    func python(_ arguments: [String]) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    func connector(_ server: ServerProcess) throws -> Process {
      try python([script, "http://127.0.0.1:\(server.port)", token, path, database])
    }
    func tableRows() throws -> [String] {
      let process = Process(), output = Pipe()
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
      if Bool.random() { kill(running.processIdentifier, SIGKILL) }
      if Bool.random() { server.kill() }
      _ = await Task.detached { writer.waitForEnd() }.value
      kill(running.processIdentifier, SIGKILL)
      _ = await Task.detached { running.waitForEnd() }.value
      author.abort()
      if server.process.isRunning { server.kill() }
      server = try scene.server()
    }
    let last = try connector(server)
    defer { kill(last.processIdentifier, SIGKILL) }
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
