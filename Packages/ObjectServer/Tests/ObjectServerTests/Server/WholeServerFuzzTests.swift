import Foundation
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("illegal conversations with a whole server")
struct WholeServerFuzzTests {
  /// Codes at which stock clients end their process.
  static let deadly: Set<Int> = [104, 202, 203, 205, 207, 214, 215, 218, 219, 220, 221, 224]

  @Test(
    "whatever messages a crowd of clients sends to realms on disk, devices on the same realm lose nothing and end equal",
    arguments: Seeds.some(12))
  func crowd(seed: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-crowd-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var random = SeededGenerator(seed: seed)
    let histories = EmbeddedHistories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: seed)), isDurable: false)
    let idle = Duration.milliseconds(Int64.random(in: 5...200, using: &random))
    let stage = try Stage(seed: seed, histories: histories) { $0.realmIdleTimeout = idle }
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let devices = try (0..<2).map { number in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
    }
    let crowd = try (0..<4).map { number in
      try Offender(
        "offender\(number)", number: UInt64(number), token: number < 3 ? ann.token : ben.token,
        seed: seed &+ UInt64(number))
    }
    for _ in 0..<150 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: try devices.randomElement(using: &random)?.edit(2)
      case 2: for device in devices { try device.connect(stage, token: ann.token) }
      case 3 where random.oneIn(8): stage.crashAndRestart()
      case 4 where random.oneIn(3): stage.run(.seconds(1))
      default: try crowd.randomElement(using: &random)?.act(on: stage, using: &random)
      }
      if random.oneIn(2) { stage.run(.milliseconds(3)) }
    }
    for _ in 0..<50 {
      for device in devices { try device.connect(stage, token: ann.token) }
      stage.run(.seconds(1))
      if devices.allSatisfy(\.isSettled) { break }
    }
    stage.run(.seconds(1))
    for device in devices {
      #expect(device.failures == [], "SEED=\(seed)")
      #expect(device.isSettled, "SEED=\(seed): \(device.name) has unacknowledged commits")
      #expect(device.state == devices.first?.state, "SEED=\(seed): \(device.name) differs")
    }
    for offender in crowd {
      offender.listen()
      #expect(offender.codes.isDisjoint(with: Self.deadly), "SEED=\(seed): \(offender.codes)")
    }
  }
}
