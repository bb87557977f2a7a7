import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("convergence through a cluster")
struct RelayConvergenceTests {
  @Test(
    "devices at different nodes end equal while their realm moves, nodes die and connections break",
    arguments: Seeds.some(40))
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let histories = JournalHistories(random: RandomSource(SeededGenerator(seed: 99)))
    let cluster = try ClusterStage(seed: seed, histories: histories)
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let path = try RealmPath("/ann/todo")
    cluster.map[path] = .node("b")
    let hosts = ["server", "b", "c"]
    let devices = try (0..<3).map { number in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
    }
    for _ in 0..<40 {
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4: try device.edit(Int.random(in: 1...4, using: &random))
      case 5, 6: try device.connect(stage, token: ann.token, to: hosts[Int.random(in: 0..<3, using: &random)])
      case 7:
        stage.network.breakConnections(between: "server", and: ["b", "c"][Int.random(in: 0..<2, using: &random)])
      case 8, 9: try cluster.move(path, to: ["a", "b", "c"][Int.random(in: 0..<3, using: &random)])
      case 10 where random.oneIn(3):
        let name = ["b", "c"][Int.random(in: 0..<2, using: &random)]
        cluster.crash(name, of: path)
        stage.run(.milliseconds(1))
        cluster.start(name)
      default: break
      }
      stage.run(.milliseconds(Int64.random(in: 0...30, using: &random)))
    }
    for _ in 0..<50 {
      for device in devices { try device.connect(stage, token: ann.token) }
      stage.run(.seconds(1))
      if devices.allSatisfy({ $0.isSettled && $0.isConnected }) { break }
    }
    stage.run(.seconds(1))
    let first = try #require(devices.first)
    for device in devices {
      #expect(device.failures == [], "SEED=\(seed)")
      #expect(device.isSettled, "SEED=\(seed): \(device.name) has unacknowledged commits")
      #expect(device.state == first.state, "SEED=\(seed): \(device.name) differs")
    }
  }

  @Test(
    "a realm that leaves while clients write loses nothing that was acknowledged, and is open at one node at a time")
  func leaving() throws {
    // PlainHistories traps when two nodes have a realm open.
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let path = try RealmPath("/ann/todo")
    cluster.map[path] = .node("b")
    let (phone, file) = try stage.session(ann.token, "/~/todo")
    var session: UInt64 = 1
    var version: UInt64 = 1
    var acknowledged: UInt64 = 0
    for round in 0..<12 {
      for _ in 0..<10 {
        version += 1
        phone.upload(session, version: version, bytes: [UInt8(version % 250)])
        stage.run(.microseconds(Int64(round) * 97))
      }
      try cluster.move(path, to: ["c", "a", "b"][round % 3])
      stage.run()
      let heard = phone.take()
      #expect(heard.compactMap(\.failureCode) == [229], "round \(round)")
      acknowledged = heard.compactMap(\.download).last?.progress.upload.client.rawValue ?? acknowledged
      let stored = try stage.plain.history("/ann/todo").content.withLock { $0.entries.map(\.authorVersion.rawValue) }
      #expect(stored.last ?? 0 >= acknowledged, "round \(round)")
      #expect(stored == Array(2..<2 + UInt64(stored.count)), "round \(round): each once, in order")
      // As stock clients do: the session begins again, and what was not acknowledged is uploaded again.
      phone.send(.unbind(UnbindMessage(session: SessionIdent(session))))
      session += 1
      phone.bind(session, "/~/todo", needsIdent: false)
      phone.ident(session, file)
      stage.run()
      let upload = phone.take().compactMap(\.download).last?.progress.upload.client.rawValue ?? 0
      #expect(upload >= acknowledged, "round \(round)")
      version = max(upload, 1)
    }
    #expect(phone.closure == nil)
  }

  @Test("a client with queries is served through another node, and its realm is that of the app")
  func queries() throws {
    let folder = NSTemporaryDirectory() + "openrealm-relay-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let histories = try TestStorage.histories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: 5)), isDurable: false)
    let cluster = try ClusterStage(histories: histories)
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (full, _) = try stage.session(ann.token, "/default", from: "full")
    let instructions = FlexiblePeople.schema + (1...20).flatMap { FlexiblePeople.person($0, age: $0) }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    full.upload(1, version: 2, bytes: Changeset(instructions: instructions, origin: origin).encoded())
    stage.run()
    let phone = try FlexibleClient(stage, ann.token)
    try phone.subscribe(#"{"Person":"age > 15"}"#)
    #expect(phone.failures.isEmpty)
    #expect(phone.state.objects["Person"]?.count == 5)
    try phone.subscribe(#"{"Person":"age > 17"}"#)
    #expect(phone.state.objects["Person"]?.count == 3)
    #expect(stage.server.hub.realms.isEmpty)
    #expect(try cluster.server("b").hub.realms[.ofApps] != nil)
  }
}
