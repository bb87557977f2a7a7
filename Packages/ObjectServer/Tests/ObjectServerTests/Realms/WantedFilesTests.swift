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

  /// A session asks for the realm.
  private func bind(_ stage: Stage) throws {
    let client = try stage.connect(try stage.token("ann"), from: "tablet")
    client.bind(1, "/~/todo")
    stage.run()
  }

  @Test("the files are opened in the queue of the realm's consumers, and the directory's goes on")
  func queue() async throws {
    try await run { stage, histories, _ in
      let hold = try await hold(stage)
      #expect(hold != nil)
      #expect(histories.queues == [.consumers(path)])
    }
  }

  @Test("consumers are asked for files that cannot be opened, and told when they may come again")
  func broken() async throws {
    try await run { stage, histories, _ in
      let watch = stage.server.watchCommits(matching: { _ in true }) {}
      var hold = try await hold(stage)
      stage.run()
      #expect(hold?.isWanted == false)
      histories.setBroken(true)
      try bind(stage)
      #expect(hold?.isWanted == true)
      _ = watch.take()
      hold = nil
      stage.run()
      #expect(watch.take() == [path])
    }
  }

  @Test("a consumer that cannot open the files asks the others, and is told nothing itself")
  func brokenForConsumer() async throws {
    try await run { stage, histories, _ in
      let hold = try await hold(stage)
      histories.setBroken(true)
      let watch = stage.server.watchCommits(matching: { _ in true }) {}
      await #expect(throws: ServerError.self) { _ = try await self.hold(stage) }
      stage.run()
      #expect(hold?.isWanted == true)
      #expect(watch.take() == [])
    }
  }

  @Test("when a realm that was to leave stays, its files are not asked for any more")
  func stays() async throws {
    try await run { stage, _, placement in
      let hold = try await hold(stage)
      placement.leave(path) {}
      stage.run(.seconds(60))
      #expect(hold?.isWanted == true, "the consumer kept them for longer than there was patience")
      try bind(stage)
      #expect(hold?.isWanted == false)
    }
  }

  @Test("contents for a client that takes nothing end as soon as the files are wanted")
  func contents() async throws {
    try await run { stage, _, _ in
      let client = StalledClient()
      let services = try #require(stage.server.api.admin?.services)
      let held = try await hold(stage)
      AdapterContentsStream(try #require(held), services, atPositionOf: nil) {}.begin(on: client)
      stage.run()
      #expect(client.isCut.value == nil)
      stage.server.hub.filesFailed(of: path)
      stage.run()
      #expect(client.isCut.value == true)
    }
  }
}

/// A client that takes no part of a body.
private final class StalledClient: HTTPResponder, HTTPBodyWriter {
  let isCut = Box<Bool>()
  private let handler = Box<any HTTPBodyHandler>()
  let bufferedBytes = 1 << 20

  func respond(_ response: HTTPResponse) {}
  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter {
    self.handler.value = handler
    return self
  }
  func write(_ part: [UInt8]) {}
  func finish() {}
  func abort() {
    isCut.value = true
    handler.value?.body(self, didEnd: TransportError(.aborted, "the connection was cut"))
    handler.value = nil
  }
}
