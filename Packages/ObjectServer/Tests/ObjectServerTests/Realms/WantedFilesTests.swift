import Concurrency
import Foundation
@testable import ObjectServer
import Permissions
import RecordStore
import ServerClusterTestSupport
import TestKit
import Testing
import Transport

@Suite("files that are wanted from consumers")
struct WantedFilesTests {
  private let path: Permissions.RealmPath
  private let map = RealmMap(ofOthers: .node("a"))

  init() throws { path = try Permissions.RealmPath("/ann/todo") }

  /// Calls `body` with a stage whose realms are files, after a session has made one and left.
  private func run(_ body: (Stage, BreakableHistories, TestPlacement) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "openrealm-wanted-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(TestKit.SeededGenerator(seed: 1))
    let histories = BreakableHistories(try TestStorage.histories(.folder(folder), random: random, isDurable: false))
    let placement = TestPlacement("a", host: "server", map)
    let stage = try Stage(histories: histories, placement: placement) { $0.realmIdleTimeout = .seconds(3) }
    histories.running.value = { [running = stage.runningQueue] in running.value }
    _ = try stage.session(try stage.user("ann").token, "/~/todo", from: "phone").0
    stage.run(.seconds(5))
    try await body(stage, histories, placement)
  }

  private func hold(_ stage: Stage) async throws -> RealmHold? {
    let (server, path) = (stage.server, path)
    return try await stage.drive { try await server.hold(path) }
  }

  @Test("the files are opened in the queue of the realm's consumers, and the directory's goes on")
  func queue() async throws {
    try await run { stage, histories, _ in
      let hold = try await hold(stage)
      #expect(hold != nil)
      #expect(histories.queues == [.consumers(path)])
    }
  }
}
