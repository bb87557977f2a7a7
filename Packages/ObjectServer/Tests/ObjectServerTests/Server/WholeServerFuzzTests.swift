import Foundation
@testable import ObjectServer
import ServerClusterTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("illegal conversations with a whole server")
struct WholeServerFuzzTests {
  @Test(
    "whatever messages a crowd of clients sends to realms on disk, devices on the same realm lose nothing and end equal",
    arguments: Seeds.some(12))
  func crowd(seed: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-crowd-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var random = SeededGenerator(seed: seed)
    let histories = try TestStorage.histories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: seed)), isDurable: false)
    let idle = Duration.milliseconds(Int64.random(in: 5...200, using: &random))
    let stage = try Stage(seed: seed, histories: histories) { $0.realmIdleTimeout = idle }
    let crowd = try FuzzCrowd(on: stage, seed: seed)
    try crowd.act(steps: 150, using: &random) { step, random in
      switch step {
      case 3 where random.oneIn(8): stage.crashAndRestart()
      case 4 where random.oneIn(3): stage.run(.seconds(1))
      case _: return false
      }
      return true
    }
    try crowd.expectEqualEnds()
  }
}
