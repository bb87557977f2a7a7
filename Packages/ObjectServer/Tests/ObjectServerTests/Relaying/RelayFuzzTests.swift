import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import TestKit
import Testing

@Suite("illegal conversations through another node")
struct RelayFuzzTests {
  @Test(
    "messages of every kind in every order, to realms here and elsewhere, trap no node; devices lose nothing and end equal",
    arguments: Seeds.some(12))
  func crowd(seed: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-relayed-crowd-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var random = SeededGenerator(seed: seed)
    let histories = try TestStorage.histories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: seed)), isDurable: false)
    let cluster = try ClusterStage(seed: seed, histories: histories)
    let stage = cluster.stage
    let path = try RealmPath("/ann/todo")
    cluster.map[path] = .node("b")
    let crowd = try FuzzCrowd(on: stage, seed: seed)
    try crowd.act(steps: 120, using: &random) { step, random in
      switch step {
      case 3 where random.oneIn(4): try cluster.move(path, to: ["a", "b", "c"].randomElement(using: &random) ?? "a")
      case 4 where random.oneIn(3): stage.run(.seconds(1))
      case 5 where random.oneIn(3): stage.network.breakConnections(between: "server", and: "b")
      case _: return false
      }
      return true
    }
    try crowd.expectEqualEnds()
    #expect(stage.server.hub.connections.values.allSatisfy { $0.load.relayed >= 0 }, "SEED=\(seed)")
  }
}
