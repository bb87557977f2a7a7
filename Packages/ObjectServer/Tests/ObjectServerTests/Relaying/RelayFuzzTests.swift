import Foundation
@testable import ObjectServer
import Permissions
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
    let histories = EmbeddedHistories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: seed)), isDurable: false)
    let cluster = try ClusterStage(seed: seed, histories: histories)
    let stage = cluster.stage
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let path = try RealmPath("/ann/todo")
    cluster.map[path] = .node("b")
    let devices = try (0..<2).map { number in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
    }
    let crowd = try (0..<4).map { number in
      try Offender(
        "offender\(number)", number: UInt64(number), token: number < 3 ? ann.token : ben.token,
        seed: seed &+ UInt64(number))
    }
    for _ in 0..<120 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: try devices.randomElement(using: &random)?.edit(2)
      case 2: for device in devices { try device.connect(stage, token: ann.token) }
      case 3 where random.oneIn(4): try cluster.move(path, to: ["a", "b", "c"].randomElement(using: &random) ?? "a")
      case 4 where random.oneIn(3): stage.run(.seconds(1))
      case 5 where random.oneIn(3): stage.network.breakConnections(between: "server", and: "b")
      default: try crowd.randomElement(using: &random)?.act(on: stage, using: &random)
      }
      if random.oneIn(2) { stage.run(.milliseconds(3)) }
    }
    for _ in 0..<50 {
      for device in devices { try device.connect(stage, token: ann.token) }
      stage.run(.seconds(1))
      if devices.allSatisfy({ $0.isSettled && $0.isConnected }) { break }
    }
    stage.run(.seconds(1))
    for device in devices {
      #expect(device.failures == [], "SEED=\(seed)")
      #expect(device.isSettled, "SEED=\(seed): \(device.name) has unacknowledged commits")
      #expect(device.state == devices.first?.state, "SEED=\(seed): \(device.name) differs")
    }
    for offender in crowd {
      offender.listen()
      #expect(offender.codes.isDisjoint(with: WholeServerFuzzTests.deadly), "SEED=\(seed): \(offender.codes)")
    }
    #expect(stage.server.hub.connections.values.allSatisfy { $0.load.relayed >= 0 }, "SEED=\(seed)")
  }
}
