import ByteCoding
import ChangesetOT
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("links between nodes")
struct LinkTests {
  private static let upload: [UInt8] = Array("a changeset".utf8)

  /// The clients that node a passes on.
  private func streams(_ cluster: ClusterStage) -> Int64 {
    cluster.stage.metrics.gauge("openrealm_node_streams", help: "").value
  }

  @Test("the sessions of many clients share one connection between two nodes, which is closed when none is left")
  func shared() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let phones = try (0..<20).map { try stage.session(ann.token, "/~/todo", from: "phone\($0)").0 }
    #expect(try cluster.server("b").hub.connections.count == 20)
    #expect(stage.network.connectionCount(from: "server", to: "b") == 1)
    #expect(streams(cluster) == 20)
    for phone in phones { phone.connection?.abort() }
    stage.run(.seconds(10))
    #expect(try cluster.server("b").hub.connections.isEmpty)
    #expect(streams(cluster) == 0)
    #expect(stage.network.connectionCount(from: "server", to: "b") == 1, "the next client needs no handshake")
    stage.run(RelayLimits.idleLink + .seconds(10))
    #expect(stage.network.connectionCount(from: "server", to: "b") == 0)
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    #expect(phone.closure == nil)
  }

  @Test("a link that is cut ends its streams with the word to come back, and the next session opens another")
  func cut() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let sessions = try (0..<5).map { try stage.session(ann.token, "/~/todo", from: "phone\($0)") }
    for (phone, _) in sessions { phone.upload(1, version: 2, bytes: [UInt8](repeating: 1, count: 500_000)) }
    stage.run(.milliseconds(1))
    stage.network.breakConnections(between: "server", and: "b")
    stage.run(.seconds(1))
    #expect(try cluster.server("b").hub.connections.isEmpty)
    for (phone, file) in sessions {
      #expect(phone.take().compactMap(\.failureCode) == [200])
      #expect(phone.closure == nil)
      phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
      phone.bind(2, "/~/todo", needsIdent: false)
      phone.ident(2, file)
      phone.upload(2, version: 2, bytes: Self.upload)
    }
    stage.run(.seconds(1))
    for (phone, _) in sessions {
      let heard = phone.take()
      #expect(heard.compactMap(\.failureCode).isEmpty)
      #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    }
    #expect(stage.network.connectionCount(from: "server", to: "b") == 1)
  }

  @Test("a node that does not answer is asked less and less often, and its sessions fail meanwhile")
  func backOff() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    cluster.crash("b")
    let phone = try stage.connect(ann.token)
    for session in UInt64(1)...12 {
      phone.bind(session, "/~/todo")
      stage.run(.seconds(1))
      phone.send(.unbind(UnbindMessage(session: SessionIdent(session))))
      stage.run(.milliseconds(10))
    }
    let failures = phone.take().compactMap(\.failureCode)
    #expect(failures.allSatisfy { $0 == 200 })
    #expect(failures.count >= 6)
    #expect(phone.closure == nil)
    cluster.start("b")
    stage.run(.seconds(5))
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    #expect(tablet.closure == nil)
  }

  @Test("thousands of streams on one link each bring their messages")
  func thousands() throws {
    let cluster = try ClusterStage {
      $0.connectionsPerSecond = 100_000
      $0.realmsPerSecond = 100_000
    }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let count = 3_000
    var phones: [WireClient] = []
    for number in 0..<count {
      let client = WireClient()
      client.connection = stage.network.host("phone\(number)").connectWebSocket(
        to: WebSocketEndpoint(
          url: try NetworkURL("ws://server:9080/realm-sync?baas_at=\(ann.token)"),
          protocolTokens: SubprotocolOffer.tokens(for: .full)), options: WebSocketOptions(), handler: client)
      phones.append(client)
    }
    stage.run(.seconds(2))
    for phone in phones { phone.bind(1, "/~/todo") }
    stage.run(.seconds(4))
    let files = phones.map { $0.take().compactMap(\.file).first?.ident }
    #expect(Set(files.compactMap { $0 }).count == count)
    #expect(stage.network.connectionCount(from: "server", to: "b") == 1)
    #expect(streams(cluster) == Int64(count))
  }

  @Test("a client that does not read does not hold up another of the same link")
  func stoppedReader() throws {
    let cluster = try ClusterStage { $0.congestionBytes = 64 << 10 }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo", to: "b")
    let (slow, _) = try stage.session(ann.token, "/~/todo", from: "slow")
    let (fast, _) = try stage.session(ann.token, "/~/todo", from: "fast")
    slow.connection?.pauseReading()
    var random = SeededGenerator(seed: 3)
    for version in UInt64(2)..<42 {
      author.upload(
        1, version: version, bytes: (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      stage.run(.milliseconds(20))
    }
    stage.run(.seconds(1))
    #expect(fast.take().compactMap(\.download).flatMap(\.entries).count == 40)
    #expect(slow.take().compactMap(\.download).flatMap(\.entries).count < 40)
    slow.connection?.resumeReading()
    stage.run(.seconds(5))
    #expect(slow.closure == nil)
  }

  @Test("a link is refused without the proof of the cluster's key, by either side")
  func proofs() throws {
    let key = [UInt8](repeating: 7, count: 32)
    let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let opener = LinkHandshake(from: "a", to: "b", nonce: first, key: key)
    let headers: HTTPHeaders = [LinkHandshake.header: try opener.headerValue()]
    let acceptor = try LinkHandshake(reading: headers, at: "b", nonce: second, key: key)
    #expect(acceptor.opener == "a")
    let proof = try opener.proof(answering: acceptor.challenge())
    try acceptor.check(proof: proof)
    #expect(throws: PassedOn.Forged.self) { try acceptor.check(proof: Array(proof.dropLast())) }
    #expect(throws: PassedOn.Forged.self) { try opener.proof(answering: []) }
    #expect(throws: PassedOn.Forged.self) { try opener.proof(answering: second + proof) }
    #expect(throws: PassedOn.Forged.self) {
      try LinkHandshake(reading: headers, at: "c", nonce: second, key: key)
    }
    #expect(throws: PassedOn.Forged.self) {
      try LinkHandshake(reading: headers, at: "b", nonce: second, key: [UInt8](repeating: 8, count: 32))
    }
    #expect(throws: PassedOn.Forged.self) { try LinkHandshake(reading: [:], at: "b", nonce: second, key: key) }
    let replayed = try LinkHandshake(reading: headers, at: "b", nonce: [UInt8](repeating: 3, count: 32), key: key)
    #expect(throws: PassedOn.Forged.self, "a recorded handshake") { try replayed.check(proof: proof) }
  }

  @Test("a stranger without the key gets no link, also with a recorded header")
  func stranger() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let header = try LinkHandshake(
      from: "c", to: "a", nonce: [UInt8](repeating: 1, count: 32), key: [UInt8](repeating: 7, count: 32)
    ).headerValue()
    func open(_ tokens: [String], _ headers: HTTPHeaders) throws -> Stranger {
      let client = Stranger()
      client.connection = stage.network.host("stranger").connectWebSocket(
        to: WebSocketEndpoint(
          url: try NetworkURL("ws://server:9080\(LinkHandshake.path)"), protocolTokens: tokens, headers: headers),
        options: WebSocketOptions(), handler: client)
      stage.run()
      return client
    }
    for (tokens, headers, status) in [
      ([LinkHandshake.protocolToken], [:], 403),
      ([LinkHandshake.protocolToken], [LinkHandshake.header: "61;62;63"], 403),
      (["openrealm-link-0"], [LinkHandshake.header: header], 400),
    ] as [([String], HTTPHeaders, Int)] {
      guard case .refused(let response)? = try open(tokens, headers).closure else {
        Issue.record("it was not refused")
        continue
      }
      #expect(response.status == status)
    }
    let client = try open([LinkHandshake.protocolToken], [LinkHandshake.header: header])
    #expect(client.closure == nil)
    client.connection?.send(binary: [UInt8](repeating: 0, count: 32))
    stage.run()
    guard case .closed(let code, _, byPeer: true)? = client.closure else {
      Issue.record("it was not closed")
      return
    }
    #expect(code == 1008)
    let silent = try open([LinkHandshake.protocolToken], [LinkHandshake.header: header])
    stage.run(.seconds(20))
    #expect(silent.closure != nil)
  }

  // @unchecked Sendable: touched on the simulated loop, and by the test while the loop rests.
  private final class Stranger: WebSocketHandler, @unchecked Sendable {
    var connection: (any WebSocketConnection)?
    var closure: WebSocketClosure?

    func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}
    func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {}
    func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { self.closure = closure }
  }

  @Test("a session whose client gives nothing but signs of life stays at the owner")
  func quietClient() throws {
    let cluster = try ClusterStage { $0.sync.idleTimeout = .seconds(60) }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    for _ in 0..<10 {
      phone.send(.ping(PingMessage(timestamp: 1, roundTrip: 0)))
      stage.run(.seconds(30))
    }
    #expect(phone.take().compactMap(\.failureCode).isEmpty)
    #expect(try cluster.server("b").hub.connections.count == 1)
    stage.run(.seconds(150))
    #expect(phone.closure != nil, "silence ends it")
    #expect(try cluster.server("b").hub.connections.isEmpty)
  }

  @Test("an owner that stops ends the streams with the word to come back, and the link with it")
  func stoppedOwner() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    try cluster.server("b").stop {}
    stage.run(.seconds(10))
    #expect(phone.take().compactMap(\.failureCode) == [200])
    #expect(phone.closure == nil)
    #expect(stage.network.connectionCount(from: "server", to: "b") == 0)
  }

  @Test("a long message through a link waits for memory of the owner, and arrives when there is some")
  func memory() throws {
    let cluster = try ClusterStage { $0.memoryBudget = 16 << 20 }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    let budget = try cluster.server("b").hub.receiveBudget
    budget.reserve(16 << 20)
    var random = SeededGenerator(seed: 3)
    // The overdraft is taken by another connection.
    let other = budget.open(.member, group: "other", on: stage.loop) {
    } cut: {
    }
    _ = other.room(atMost: 1 << 20)
    phone.upload(1, version: 2, bytes: (0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    stage.run(.seconds(2))
    #expect(phone.take().compactMap(\.download).isEmpty)
    #expect(budget.held < 256 << 10)
    other.close()
    budget.release(16 << 20)
    stage.run(.seconds(2))
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(budget.held == 0)
  }

  @Test("a node that starts again ends the streams of its former self at once")
  func restarted() throws {
    let cluster = try ClusterStage(realmsAt: .node("a"))
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo", to: "b")
    #expect(stage.server.hub.connections.count == 1)
    stage.network.partition(["server"], from: ["b"])
    cluster.crash("b")
    stage.network.heal()
    cluster.start("b")
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet", to: "b")
    stage.run(.milliseconds(500))
    #expect(tablet.closure == nil)
    #expect(phone.closure != nil)
    #expect(stage.server.hub.connections.count == 1)
  }
}
