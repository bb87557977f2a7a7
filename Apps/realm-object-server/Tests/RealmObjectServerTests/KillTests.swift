import AuthClient
import ChangesetOT
import CommandLineKit
import Foundation
import SyncProtocol
import Testing
import Transport
import TransportReal

@Suite("a real server process", .serialized)
struct KillTests {
  /// A changeset that declares a class with a name of its own: valid on any state.
  static func changeset(_ number: UInt64) -> [UInt8] {
    let table = AddTable(
      table: "Class\(number)", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))
    return Changeset(
      instructions: [.addTable(table)],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(number), file: .none)
    ).encoded()
  }

  @Test("killed in the middle of uploads, it has everything it acknowledged, each once")
  func killed() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let count: UInt64 = 400
    let rounds = Int(ProcessInfo.processInfo.environment["RUNS"] ?? "") ?? 3

    var server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server, as: .usernamePassword("ann", "secret", register: .always))
    defer { user.end() }
    for round in 0..<rounds {
      let path = "/~/round\(round)"
      let author = try user.client(of: server)
      let file = try await author.open(path)
      let limit = UInt64.random(in: 1...(count * 3 / 4))
      for version in 2...(count + 1) where author.now.acknowledged < limit {
        author.upload(version: version, bytes: Self.changeset(version))
        if version.isMultiple(of: 7) { try await Task.sleep(for: .microseconds(500)) }
      }
      server.kill()
      let acknowledged = author.now.acknowledged
      author.abort()

      server = try ServerProcess(data: data)
      let reader = try user.client(of: server)
      _ = try await reader.open(path)
      let found = reader.now.entries.map(\.timestamp.rawValue)
      #expect(found == Array(2..<(2 + UInt64(found.count))), "in order, each once")
      #expect(UInt64(found.count) + 1 >= acknowledged, "acknowledged \(acknowledged), found \(found.count)")

      let again = try user.client(of: server)
      _ = try await again.open(path, as: file)
      #expect(again.now.acknowledged == UInt64(found.count) + 1, "the cursor and the history are of one transaction")
      for version in 2...(count + 1) { again.upload(version: version, bytes: Self.changeset(version)) }
      try await again.wait("all acknowledged") { $0.acknowledged == count + 1 }
      try await reader.wait("all downloaded") { $0.entries.count >= Int(count) }
      #expect(reader.now.entries.map(\.timestamp.rawValue) == Array(2...(count + 1)))
      again.abort()
      reader.abort()
    }
    #expect(server.stop() == 0)
  }

  @Test("asked to stop, it closes its connections and ends with 0", arguments: [SIGTERM, SIGINT])
  func stopped(signal: Int32) async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = try ServerProcess(data: data)
    let user = try await ServerUser(of: server)
    defer { user.end() }
    let client = try user.client(of: server)
    _ = try await client.open("/~/x")
    #expect(server.stop(signal) == 0)
    try await client.wait("the end") { $0.isClosed }
  }

  @Test("every refusal to start is one clear line with what to do, and a non-zero exit")
  func refusals() throws {
    let data = ServerProcess.temporaryFolder(), other = ServerProcess.temporaryFolder()
    defer {
      try? FileManager.default.removeItem(atPath: data)
      try? FileManager.default.removeItem(atPath: other)
    }
    let server = try ServerProcess(data: data)
    defer { _ = server.stop() }
    let rows: [([String], String)] = [
      (["--bogus"], "--bogus"),
      (["--port", "99999"], "--port"),
      (["--port", "\(server.port)", "--data", other], "--port"),
      (["--port", "0", "--data", data], "another server (process \(server.process.processIdentifier))"),
      (["--port", "0", "--data", "/proc/nowhere"], "--data"),
      (["--port", "0", "--data", other, "--host", "203.0.113.77"], "--host"),
      (["--port", "0", "--data", other, "--jwt-key", "/nowhere.pem"], "/nowhere.pem"),
      (["--port", "0", "--data", other, "--log-level", "loud"], "--log-level"),
    ]
    for (arguments, words) in rows {
      let result = try ServerProcess.run(arguments)
      #expect(result.status != 0, "\(arguments)")
      #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count <= 2, "\(arguments): \(result.errors)")
    }
    #expect(try ServerProcess.run(["--version"]).output.contains(Release.version))
    #expect(try ServerProcess.run(["--help"]).status == 0)
  }

  @Test("users are added and listed while the server runs, and log in")
  func users() async throws {
    let data = ServerProcess.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: data) }
    let server = try ServerProcess(data: data, arguments: ["--port", "0", "--registration", "none"])
    defer { _ = server.stop() }
    #expect(try ServerProcess.run(["users", "create", "ben", "--data", data], input: "secret-of-ben\n").status == 0)
    #expect(try ServerProcess.run(["users", "create", "ben", "--data", data], input: "secret-of-ben\n").status == 1)
    #expect(try ServerProcess.run(["users", "list", "--data", data]).output.contains("local-userpass ben"))
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let auth = try AuthClient(
      server: try NetworkURL("http://127.0.0.1:\(server.port)"), network: RealNetwork(loop: loop))
    try await auth.logIn(.usernamePassword("ben", "secret-of-ben"))
    await #expect(throws: AuthError.self) { try await auth.logIn(.usernamePassword("new", "x", register: .always)) }
    #expect(try ServerProcess.run(["users", "password", "ben", "--data", data], input: "other-secret\n").status == 0)
    await #expect(throws: AuthError.self) { try await auth.logIn(.usernamePassword("ben", "secret-of-ben")) }
    try await auth.logIn(.usernamePassword("ben", "other-secret"))
    #expect(try ServerProcess.run(["users", "remove", "ben", "--data", data]).status == 0)
    #expect(try ServerProcess.run(["users", "remove", "ben", "--data", data]).errors.contains("no user 'ben'"))
    #expect(try ServerProcess.run(["users", "list", "--json", "--data", data]).output == "[]\n")
  }
}
