import ChangesetOT
@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("Back-pressure")
struct BackPressureTests {
  @Test("an uploader faster than the disk is held up: what waits is bounded, and all of it is integrated")
  func fastUploader() throws {
    let stage = try Stage { configuration in
      configuration.sync.uploadBacklog = 10_000
      // Above this the session would be sent away.
      configuration.sync.uploadBacklogLimit = 15_000
    }
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    let count: UInt64 = 100
    // Incompressible.
    var random = SeededGenerator(seed: 1)
    for version in 2..<2 + count {
      phone.upload(1, version: version, bytes: (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    var most = 0
    for _ in 0..<2_000 {
      stage.run(.microseconds(50))
      most = max(most, phone.connection?.bufferedBytes ?? 0)
    }
    stage.run(.seconds(2))
    #expect(most > 300_000, "most of it waits at the sender: \(most)")
    #expect(phone.connection?.bufferedBytes == 0)
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode).isEmpty)
    #expect(phone.closure == nil)
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(1 + count))
    #expect(try stage.plain.history("/ann/todo").content.withLock { $0.entries.count } == Int(count))
  }

  @Test("a session that fails while its uploader is held up lets go of it")
  func failure() throws {
    let stage = try Stage { configuration in
      configuration.sync.uploadBacklog = 10_000
      configuration.sync.uploadBacklogLimit = 15_000
    }
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.upload(1, version: 2, bytes: PlainHistory.badBytes)
    for version in UInt64(3)..<30 { phone.upload(1, version: version, bytes: [UInt8](repeating: 1, count: 4_000)) }
    phone.bind(2, "/~/other")
    stage.run(.seconds(1))
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode) == [212])
    #expect(heard.contains { $0.file != nil }, "what comes behind the uploads is heard")
  }

  @Test("an upload above the limit ends its session alone: the application hears it once, another realm goes on")
  func oversized() throws {
    let stage = try Stage { $0.maximumMessageBytes = 10_000 }
    let phone = try stage.expectOversizedUploadEndsItsSessionAlone()
    #expect(phone.closure == nil)
  }
}

extension BackPressureTests {
  @Test("a large message is decoded on the executor, and messages behind it keep their order")
  func largeMessages() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    let before = stage.jobs.count
    // Compresses to some kilobytes.
    phone.upload(1, version: 2, bytes: [UInt8](repeating: 1, count: 2 << 20))
    phone.upload(1, version: 3, bytes: [1])
    phone.mark(1, 9)
    stage.run(.seconds(1))
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode).isEmpty)
    #expect(heard.compactMap(\.download).last?.progress.upload.client == ClientVersion(3))
    let decodings = stage.jobs.dropFirst(before).filter { $0.queue.label == "messages" }
    #expect(decodings.map(\.payers) == [["ann"]])
    #expect(decodings.allSatisfy { $0.bytes > 2 << 20 })
  }

  @Test("a connection that ends while a message is decoded hears nothing of it")
  func endWhileDecoding() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.upload(1, version: 2, bytes: [UInt8](repeating: 1, count: 2 << 20))
    stage.run(.microseconds(100))
    phone.connection?.abort()
    stage.run(.seconds(1))
    #expect(phone.closure != nil)
  }

  @Test("masses of new realms of one user come back later; those that exist, and other users, are not held up")
  func newRealms() throws {
    let stage = try Stage { $0.realmsPerSecond = 1 }
    let (ann, ben) = (try stage.user("ann"), try stage.user("ben"))
    let phone = try stage.connect(ann.token)
    for number in UInt64(1)...20 {
      phone.bind(number, "/~/new\(number)")
      stage.run(.milliseconds(1))
    }
    phone.bind(21, "/~/new21")
    phone.bind(22, "/~/new1")
    let tablet = try stage.connect(ben.token)
    tablet.bind(1, "/~/todo")
    stage.run(.milliseconds(100))
    let heard = phone.take()
    #expect(heard.compactMap(\.failureCode) == [200])
    #expect(heard.compactMap(\.file).count == 21)
    #expect(tablet.take().compactMap(\.file).count == 1)
  }
}
