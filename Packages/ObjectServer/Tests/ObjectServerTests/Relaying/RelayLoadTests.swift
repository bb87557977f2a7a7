import ChangesetOT
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("the memory of sessions that are passed on")
struct RelayLoadTests {
  private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test("a client that does not read makes neither its node nor the owner pile up what it has not read")
  func slowReader() throws {
    let cluster = try ClusterStage {
      $0.congestionBytes = 64 << 10
      $0.sync.downloadBudget = 64 << 10
    }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo", to: "b")
    let (reader, _) = try stage.session(ann.token, "/~/todo", from: "slow")
    stage.network.setConditions(LinkConditions(bytesPerSecond: 20_000), from: "server", to: "slow")
    var most = 0
    for version in UInt64(2)..<102 {
      author.upload(1, version: version, bytes: Self.bytes(20_000, seed: version))
      stage.run(.milliseconds(50))
      most = max(most, try cluster.waiting("a"), try cluster.waiting("b"))
    }
    #expect(author.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(101))
    #expect(most > 64 << 10)
    #expect(most < 512 << 10, "\(most)")
    stage.run(.seconds(300))
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).count == 100)
    #expect(reader.closure == nil)
  }

  @Test("an uploader that is faster than the way to the owner is held up, and all of it arrives")
  func slowWay() throws {
    let cluster = try ClusterStage { $0.congestionBytes = 64 << 10 }
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    stage.network.setConditions(LinkConditions(bytesPerSecond: 200_000), from: "server", to: "b")
    let count: UInt64 = 100
    for version in 2..<2 + count { phone.upload(1, version: version, bytes: Self.bytes(20_000, seed: version)) }
    var most = 0
    for _ in 0..<400 {
      stage.run(.milliseconds(50))
      most = max(most, try cluster.waiting("a"))
      #expect(stage.server.hub.budget.uploads <= most)
    }
    #expect(most > 64 << 10)
    #expect(most < 64 << 10 + 50_000, "\(most)")
    #expect(stage.server.hub.budget.uploads == 0)
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(1 + count))
    #expect(try stage.plain.history("/ann/todo").content.withLock { $0.entries.count } == Int(count))
  }

  @Test("what is sent while places are being looked up is bounded, and answered afterwards")
  func kept() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let ann = try stage.user("ann")
    let (first, file) = try stage.session(ann.token, "/~/todo")
    first.connection?.abort()
    stage.run()
    let phone = try stage.connect(ann.token)
    phone.bind(1, "/~/todo", needsIdent: false)
    phone.ident(1, file)
    let count: UInt64 = 8
    for version in 2..<2 + count { phone.upload(1, version: version, bytes: Self.bytes(400_000, seed: version)) }
    var most = 0
    for _ in 0..<2_000 {
      stage.run(.microseconds(100))
      most = max(most, stage.server.hub.connections.values.map(\.load.relayed).max() ?? 0)
    }
    stage.run(.seconds(2))
    #expect(most < stage.configuration.congestionBytes + 2 * 400_000 + RelayLimits.keptBytes, "\(most)")
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(1 + count))
    #expect(stage.server.hub.budget.uploads == 0)
  }

  @Test("an upload above the limit ends its session alone, with the words of the owner")
  func oversized() throws {
    let cluster = try ClusterStage { $0.maximumMessageBytes = 10_000 }
    let stage = cluster.stage
    let phone = try stage.expectOversizedUploadEndsItsSessionAlone()
    phone.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    stage.run(.seconds(1))
    #expect(phone.take().isEmpty)
    phone.bind(1, "/~/todo")
    stage.run(.seconds(1))
    #expect(phone.take().compactMap(\.file).count == 1, "the ident is free again")
  }
}
