import ChangesetOT
@testable import ObjectServer
@testable import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("the memory budget")
struct MemoryBudgetTests {
  private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test("many uploaders together stay within the budget, and all that they uploaded is integrated")
  func uploaders() throws {
    let stage = try Stage { $0.memoryBudget = 40_000 }
    let ann = try stage.user("ann")
    let phones = try (0..<6).map { try stage.session(ann.token, "/~/realm\($0)", from: "phone\($0)").0 }
    let count: UInt64 = 40
    for phone in phones {
      for version in 2..<2 + count { phone.upload(1, version: version, bytes: Self.bytes(4_000, seed: version)) }
    }
    var most = 0
    for _ in 0..<4_000 {
      stage.run(.microseconds(50))
      most = max(most, stage.server.hub.budget.uploads)
    }
    stage.run(.seconds(5))
    // One message beyond the budget for each connection that was being read from.
    #expect(most > 20_000, "\(most)")
    #expect(most < 40_000 + 6 * 12_000, "\(most)")
    #expect(stage.server.hub.budget.uploads == 0)
    for (index, phone) in phones.enumerated() {
      #expect(phone.closure == nil)
      #expect(phone.take().compactMap(\.failureCode).isEmpty)
      #expect(
        try stage.plain.history("/ann/realm\(index)").content.withLock { $0.entries.count } == Int(count), "\(index)")
    }
  }

  @Test("the unpacked size of large messages is reserved before it is needed, and released")
  func decoding() throws {
    let stage = try Stage { $0.memoryBudget = 1 << 20 }
    let ann = try stage.user("ann")
    let phones = try (0..<6).map { try stage.session(ann.token, "/~/realm\($0)", from: "phone\($0)").0 }
    for phone in phones { phone.upload(1, version: 2, bytes: Self.bytes(400_000, seed: 3)) }
    var most = 0
    for _ in 0..<4_000 {
      stage.run(.microseconds(50))
      most = max(most, stage.server.hub.receiveBudget.reserved)
    }
    stage.run(.seconds(5))
    #expect(most >= 400_000)
    #expect(stage.server.hub.receiveBudget.reserved == 0)
    #expect(stage.server.hub.receiveBudget.occupied == 0)
    for index in phones.indices {
      #expect(try stage.plain.history("/ann/realm\(index)").content.withLock { $0.entries.count } == 1, "\(index)")
    }
  }

  @Test("a client that sends little is read from while others hold the whole budget")
  func small() {
    let budget = {
      var budget = MemoryBudget(limit: 40_000, scanBytes: 1_000)
      budget.addUpload(1 << 20)
      return budget
    }()
    #expect(!budget.holdsUploads(waiting: MemoryBudget.floor))
    #expect(budget.holdsUploads(waiting: MemoryBudget.floor + 1))
    var load = ConnectionLoad()
    let (first, second) = (
      SessionKey(ident: SessionIdent(1), generation: 1), SessionKey(ident: SessionIdent(2), generation: 2)
    )
    load.beginUpload(first, 100)
    load.beginUpload(first, 200)
    load.beginUpload(second, 50)
    #expect(load.waitingUploadBytes == 350)
    #expect(load.endUpload(first) == 100)
    #expect(load.waitingUploadBytes == 250)
    #expect(load.endUploads(first) == 200)
    #expect(load.endUpload(first) == nil)
    #expect(load.waitingUploadBytes == 50)
    #expect(load.uploadingSessions == [second])
  }

  @Test("many clients that do not read take no more than the budget, and one that reads is served meanwhile")
  func readers() throws {
    let stage = try Stage { configuration in
      configuration.memoryBudget = 200_000
      configuration.sync.downloadBudget = 20_000
      configuration.congestionBytes = 1 << 20
    }
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/news", from: "author")
    let count: UInt64 = 60
    for version in 2..<2 + count { author.upload(1, version: version, bytes: Self.bytes(8_000, seed: version)) }
    stage.run(.seconds(5))
    let slow = try (0..<8).map { number in
      let client = try stage.connect(ann.token, from: "slow\(number)")
      client.bind(1, "/~/news")
      stage.run()
      let file = try #require(client.take().compactMap(\.file).first)
      client.connection?.pauseReading()
      client.ident(1, file)
      return client
    }
    stage.run(.seconds(5))
    let (reader, _) = try stage.session(ann.token, "/~/news", from: "reader")
    reader.mark(1, 1)
    stage.run(.seconds(10))
    #expect(stage.server.hub.budget.downloads < 260_000, "\(stage.server.hub.budget.downloads)")
    #expect(reader.take().contains { if case .mark = $0 { true } else { false } }, "who reads gets everything")
    for client in slow { client.connection?.resumeReading() }
    stage.run(.seconds(30))
    for client in slow {
      #expect(client.take().compactMap(\.download).last?.progress.download.server == ServerVersion(count))
    }
    #expect(stage.server.hub.budget.downloads == 0)
    #expect(stage.server.hub.budget.scans == 0)
  }

  @Test("a client that reads nothing for too long is cut, one that reads slowly is not")
  func slowReaders() throws {
    let stage = try Stage { configuration in
      configuration.congestionBytes = 10_000
      configuration.slowReaderTimeout = .seconds(10)
    }
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/news", from: "author")
    for version in UInt64(2)..<80 { author.upload(1, version: version, bytes: Self.bytes(8_000, seed: version)) }
    stage.run(.seconds(5))
    let clients = try ["still", "slow"].map { name in
      let client = try stage.connect(ann.token, from: name)
      client.bind(1, "/~/news")
      stage.run()
      let file = try #require(client.take().compactMap(\.file).first)
      client.connection?.pauseReading()
      client.ident(1, file)
      stage.run()
      return client
    }
    for _ in 0..<40 {
      clients[1].connection?.resumeReading()
      stage.run(.milliseconds(1))
      clients[1].connection?.pauseReading()
      stage.run(.seconds(1))
    }
    clients.forEach { $0.connection?.resumeReading() }
    stage.run(.seconds(5))
    #expect(clients[0].closure != nil, "cut")
    #expect(clients[1].closure == nil, "served")
    #expect(try stage.send("GET", "/metrics").text.contains("openrealm_slow_readers_total 1"))
  }
}
