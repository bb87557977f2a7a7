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
  @Test("a message that is never accepted is listed and sent again by commands")
  func deadLetters() async throws {
    let scene = try await EventScene()
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
    let scene = try await EventScene()
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
    _ scene: EventScene, _ port: Int, _ source: String, _ target: String, untilNothing: Bool = false
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
}
