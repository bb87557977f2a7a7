import AuthClient
import Foundation
import PostgresClientTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportReal

/// Administration of realms of a cluster over HTTP: a node reads the files that it has.
@Suite("files of realms at nodes", .enabled(if: PostgresServer.isThere))
struct ClusterFilesTests {
  private struct Node {
    let server: ServerProcess
    let token: String
    let network: RealNetwork
    let port: ReservedPort

    init(_ name: String, _ folder: String, _ database: String, _ network: RealNetwork) throws {
      self.network = network
      (server, port) = try ClusterTests.start(name, folder, database)
      let file = try #require(FileManager.default.contents(atPath: folder + "/\(name)/keys/admin.json"))
      token = try #require(try JSONDecoder().decode([String: String].self, from: file)["ADMIN_TOKEN"])
    }

    func send(_ method: String, _ path: String, _ body: String = "") async throws -> HTTPResponse {
      let url = NetworkURL(
        scheme: .http, host: "127.0.0.1", port: server.port, target: "/api/openrealm/v1/admin/" + path)
      return try await network.response(
        to: HTTPClientRequest(
          method: method, url: url, headers: ["Authorization": "Bearer \(token)"], body: Array(body.utf8),
          timeout: .seconds(60)))
    }

    func number(_ name: String, _ method: String, _ path: String, _ body: String) async throws -> Int {
      let response = try await send(method, path, body)
      let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
      return try #require(object?[name] as? Int, "\(method) \(path): \(response.text)")
    }

    func task(_ number: Int) async throws -> String {
      for _ in 0..<600 {
        let text = try await send("GET", "tasks/\(number)").text
        if !text.contains("\"running\"") { return text }
        try await Task.sleep(for: .milliseconds(50))
      }
      return "it does not end"
    }
  }

  @Test(
    "an administrator reads, imports and exports at the owner, and reads at any node; whole backups are the database's")
  func administration() async throws {
    try await ClusterScene.run { postgres, folder in try await Self.run(postgres.address(), folder) }
  }

  private static func run(_ database: String, _ folder: String) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.shutDown() }
    let network = RealNetwork(loop: loop)
    let a = try Node("a", folder, database, network)
    defer { a.server.kill() }
    let b = try Node("b", folder, database, network)
    defer { b.server.kill() }

    // The realm of apps is at the node that made it.
    let csv = Data("id,name\n1,Rex\n2,Fido\n".utf8).base64EncodedString()
    let file = try await a.number("file", "POST", "files", #"{"name":"Dog.csv"}"#)
    #expect(try await a.number("bytes", "PUT", "files/\(file)", #"{"at":0,"data":"\#(csv)"}"#) == 21)
    let importing = #"{"path":"/default","file":\#(file),"class":"Dog","makesClasses":true,"primaryKey":"id"}"#
    #expect(try await a.task(a.number("id", "POST", "realm/import", importing)).contains("\"done\""))
    for node in [a, b] {
      let objects = try await node.send("GET", "realm/objects?path=%2Fdefault&class=Dog")
      #expect(objects.status == 200)
      #expect(objects.text.contains("Fido"), "\(objects.text)")
      #expect(try await node.send("GET", "realm/models?language=swift&path=%2Fdefault").text.contains("Dog"))
      #expect(try await node.send("GET", "realm/consumers?path=%2Fdefault").status == 200)
      #expect(try await node.send("GET", "quarantine").status == 200)
      let backup = try await node.send("POST", "tasks", #"{"kind":"backup"}"#)
      #expect(backup.status == 501)
      #expect(backup.text.contains("pg_dump"))
    }
    let exporting = #"{"path":"/default","format":"json"}"#
    #expect(try await b.send("POST", "realm/export", exporting).status == 409)
    let task = try await a.number("id", "POST", "realm/export", exporting)
    let ended = try await a.task(task)
    #expect(ended.contains("2 objects"), "\(ended)")
    let done = try JSONSerialization.jsonObject(with: Data(ended.utf8)) as? [String: Any]
    let written = try #require(done?["file"] as? Int)
    #expect(try await a.send("GET", "files/\(written)").text.contains("Rex"))
    // The files that were read are those of clients, too, with their record.
    let user = try await ServerUser(of: b.server)
    defer { user.end() }
    let client = try user.client(of: b.server)
    _ = try await client.open("/~/notes")
    client.upload(version: 2, bytes: KillTests.changeset(2))
    try await client.wait("an acknowledgement") { $0.acknowledged == 2 }
    let path = "%2F\(user.id)%2Fnotes"
    let before = try await b.send("GET", "realm/models?language=swift&path=\(path)")
    #expect(before.text.contains("Class2"), "\(before.text)")
    client.upload(version: 3, bytes: KillTests.changeset(3))
    try await client.wait("an acknowledgement") { $0.acknowledged == 3 }
    #expect(try await a.send("GET", "realm/models?language=swift&path=\(path)").text.contains("Class3"))
    let realms = try await b.send("GET", "realms")
    #expect(realms.text.contains("\"clients\":"), "\(realms.text)")
    #expect(!realms.text.contains("problem"), "\(realms.text)")
  }
}
