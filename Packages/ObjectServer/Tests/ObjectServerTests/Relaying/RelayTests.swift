import ChangesetOT
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("sessions that are passed on")
struct RelayTests {
  static let bytes: [UInt8] = Array("a changeset".utf8)

  private static func random(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test("a realm of another node bootstraps, uploads and downloads as at that node")
  func otherNode() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, phoneFile) = try stage.session(ann.token, "/~/todo")
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet", to: "b")
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    let download = try #require(tablet.take().compactMap(\.download).last)
    #expect(download.entries.map(\.changeset) == [Self.bytes[...]])
    #expect(download.entries.map(\.origin) == [phoneFile.ident])
    tablet.upload(1, version: 2, base: 1, bytes: Self.bytes)
    stage.run()
    #expect(phone.take().compactMap(\.download).flatMap(\.entries).count == 1)
    #expect(stage.server.hub.realms.isEmpty, "the client's node opens nothing")
  }

  @Test("an ended session is answered by its node, and its ident can be bound again")
  func unbind() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, file) = try stage.session(ann.token, "/~/todo")
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    stage.run()
    #expect(phone.take() == [.unbound(UnboundMessage(session: SessionIdent(1)))])
    phone.bind(1, "/~/todo", needsIdent: false)
    phone.ident(1, file)
    stage.run()
    #expect(phone.take().compactMap(\.download).count == 1)
    #expect(try cluster.server("b").hub.connections.count == 1)
  }

  @Test("one connection has sessions on its own node and on two others, and what is piped behind BIND keeps its order")
  func threeNodes() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    cluster.map[try RealmPath("/ann/here")] = .node("a")
    cluster.map[try RealmPath("/ann/there")] = .node("c")
    let paths = ["/~/todo", "/~/here", "/~/there"]
    let files = try paths.map { path in
      let (client, file) = try stage.session(ann.token, path, from: "first")
      client.connection?.abort()
      stage.run()
      return file
    }
    let phone = try stage.connect(ann.token)
    for (index, path) in paths.enumerated() {
      phone.bind(UInt64(index) + 1, path, needsIdent: false)
      phone.ident(UInt64(index) + 1, files[index])
      for version in UInt64(2)..<10 { phone.upload(UInt64(index) + 1, version: version, bytes: [UInt8(version)]) }
      phone.mark(UInt64(index) + 1, 1)
    }
    stage.run()
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode).isEmpty)
    #expect(phone.closure == nil)
    for index in paths.indices {
      let session = SessionIdent(UInt64(index) + 1)
      let last = heard.compactMap(\.download).last { $0.session == session }
      #expect(last?.progress.upload.client == ClientVersion(9), "\(paths[index])")
      let entries = try stage.plain.history("/ann" + paths[index].dropFirst(2)).content.withLock { $0.entries }
      #expect(entries.map(\.bytes) == (2..<10).map { [UInt8($0)] }, "\(paths[index])")
    }
  }

  @Test("refusals and errors are those of the node that has the realm")
  func refusals() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    _ = try stage.user("ben")
    for path in ["/ben/todo", "/nowhere", "/a/../b", "/~"] {
      var heard: [[ServerMessage]] = []
      for server in ["server", "b"] {
        let client = try stage.connect(ann.token, to: server)
        client.bind(1, path)
        stage.run()
        heard.append(client.take())
        #expect(client.closure == nil)
      }
      #expect(heard.first == heard.last, "\(path)")
      #expect(heard.first?.count == 1, "\(path)")
    }
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.upload(1, version: 2, bytes: PlainHistory.badBytes)
    phone.bind(2, "/~/other")
    stage.run()
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode) == [212])
    #expect(heard.compactMap(\.file).count == 1, "the other session lives")
  }

  @Test("a client that breaks the protocol towards another node hears its error, and the connection ends")
  func brokenProtocol() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.send(text: "ident 1 nonsense\n")
    stage.run()
    #expect(phone.take().compactMap(\.failureCode) == [103])
    #expect(phone.closeCode == 1000)
    #expect(try cluster.server("b").hub.connections.isEmpty)
  }

  @Test("when a node dies its sessions come back at the next owner, and the others of the connection go on")
  func deadNode() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    cluster.map[try RealmPath("/ann/todo")] = .node("c")
    cluster.map[try RealmPath("/ann/here")] = .node("a")
    let (phone, file) = try stage.session(ann.token, "/~/todo")
    phone.bind(2, "/~/here")
    stage.run()
    let second = try #require(phone.take().compactMap(\.file).first)
    phone.ident(2, second)
    stage.run()
    _ = phone.take()
    cluster.crash("c")
    stage.run()
    let failures = phone.take().compactMap { message in
      if case .jsonError(let error) = message { error } else { nil }
    }
    #expect(failures.map(\.code) == [.sessionClosed])
    #expect(failures.first?.details.tryAgain == true)
    try stage.plain.history("/ann/todo").content.withLock { $0.isOpen = false }
    cluster.map.passAll(of: "c", to: "b")
    phone.upload(2, version: 2, bytes: Self.bytes)
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    phone.bind(3, "/~/todo", needsIdent: false)
    phone.ident(3, file)
    phone.upload(3, version: 2, bytes: Self.bytes)
    stage.run()
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode).isEmpty)
    for session in [SessionIdent(2), SessionIdent(3)] {
      let last = heard.compactMap(\.download).last { $0.session == session }
      #expect(last?.progress.upload.client == ClientVersion(2), "\(session)")
    }
    #expect(phone.closure == nil)
  }

  @Test("a node that says nothing any more is taken for lost")
  func silentNode() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    stage.run(.seconds(60))
    #expect(phone.take().isEmpty, "a silent client is no silent node")
    stage.network.partition(["server"], from: ["b"])
    stage.run(RelayLimits.silence + RelayLimits.heartbeat * 2)
    #expect(phone.take().compactMap(\.failureCode) == [200])
    #expect(phone.closure == nil)
  }

  @Test("a session of a realm that has moved without a word of its former node comes back")
  func movedAway() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    cluster.map[try RealmPath("/ann/todo")] = .node("c")
    stage.run(RelayLimits.heartbeat * 2)
    #expect(phone.take().compactMap(\.failureCode) == [229])
  }

  @Test(
    "a realm that is handed over takes its clients along at once, those that come while its files are closed as well")
  func handedOver() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo", from: "phone")
    let direct = try stage.connect(ann.token, from: "laptop", to: "b")
    direct.bind(1, "/~/todo")
    stage.run()
    #expect(direct.take().compactMap(\.file).count == 1)
    // Node c takes b for the owner until it looks again.
    let path = try RealmPath("/ann/todo")
    try cluster.placement("c").believe(.node(try cluster.placement("b").node), of: path)
    try cluster.move(path, to: "c")
    direct.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    direct.bind(2, "/~/todo")
    stage.run()
    for client in [phone, direct] {
      let heard = client.take()
      let failures = heard.compactMap { if case .jsonError(let error) = $0 { error } else { nil } }
      #expect(failures.map(\.code) == [.initialSyncNotCompleted])
      #expect(failures.first?.details.backoff == BackoffAdvice(interval: 0, maximum: 10, multiplier: 2))
      #expect(heard.compactMap(\.file).count == (client === direct ? 1 : 0))
    }
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    phone.bind(2, "/~/todo")
    stage.run()
    #expect(phone.take().compactMap(\.file).count == 1)
  }

  @Test("two nodes that each take the other for the owner end the session, and pass nothing on for ever")
  func loop() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let path = try RealmPath("/ann/todo")
    let (a, b) = (try cluster.placement("a"), try cluster.placement("b"))
    a.believe(.node(b.node), of: path)
    b.believe(.node(a.node), of: path)
    // Neither finds more when it looks again.
    cluster.map[path] = .moving
    let phone = try stage.connect(ann.token)
    phone.bind(1, "/~/todo")
    stage.run(.seconds(1))
    #expect(phone.take().compactMap(\.failureCode) == [200])
    #expect(stage.server.hub.connections.count == 1)
    #expect(try cluster.server("b").hub.connections.count == 1)
    cluster.map[path] = .node("b")
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    phone.bind(2, "/~/todo")
    stage.run(.seconds(1))
    #expect(phone.take().compactMap(\.file).count == 1)
  }

  @Test("a realm of nobody is taken once, and what was sent meanwhile is answered in order")
  func nobody() throws {
    let cluster = try ClusterStage(realmsAt: .nobody)
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let clients = try (0..<4).map { try stage.connect(ann.token, from: "phone\($0)", to: $0 % 2 == 0 ? "server" : "b") }
    for client in clients {
      client.bind(1, "/~/todo")
      client.bind(2, "/~/todo")
    }
    stage.run()
    for client in clients { #expect(client.take().compactMap(\.file).count == 2) }
    #expect(cluster.map.acquisitions <= 2, "one attempt for each node: \(cluster.map.acquisitions)")
    #expect(try stage.plain.history("/ann/todo").content.withLock { $0.openings } == 1)
  }

  @Test("a realm that no node can take now fails with the word to come back")
  func notTaken() throws {
    let cluster = try ClusterStage(realmsAt: .moving)
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let phone = try stage.connect(ann.token)
    phone.bind(1, "/~/todo")
    stage.run()
    let failures = phone.take().compactMap { message in
      if case .jsonError(let error) = message { error } else { nil }
    }
    #expect(failures.map(\.code) == [.sessionClosed])
    #expect(failures.first?.details.tryAgain == true)
    #expect(failures.first?.details.backoff == BackoffAdvice(interval: 1, maximum: 2, multiplier: 2))
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    cluster.map[try RealmPath("/ann/todo")] = .node("b")
    phone.bind(1, "/~/todo")
    stage.run()
    #expect(phone.take().compactMap(\.file).count == 1)
  }

  @Test("the old name of a realm is passed on to the node of its present one")
  func renamed() throws {
    let cluster = try ClusterStage(realmsAt: .node("a"))
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, file) = try stage.session(ann.token, "/~/old")
    phone.upload(1, version: 2, bytes: Self.bytes)
    stage.run()
    let (old, new) = (try RealmPath("/ann/old"), try RealmPath("/ann/new"))
    stage.server.hub.renameRealm(old, to: new) { _ in }
    stage.run()
    _ = phone.take()
    cluster.map[new] = .node("b")
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    phone.bind(2, "/~/old", needsIdent: false)
    phone.ident(2, file)
    stage.run()
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(try cluster.server("b").hub.realms[new] != nil)
  }
}
