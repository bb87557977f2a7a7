import ChangesetOT
import DataModel
import ObjectStore
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@testable import SyncClient

/// The whole client over real files and the real server, on the simulated network.
struct StoreTests {
  @Test("two devices with files of their own see each other's objects")
  func twoDevices() throws {
    let stage = try StoreStage(seed: 1)
    let one = try stage.addDevice("one")
    let two = try stage.addDevice("two")
    try stage.commit(one, TodoEdits.schema)
    try stage.commit(one, [.createObject(CreateObject(object: ObjectReference(className: "Item", key: .int(1))))])
    stage.run(.seconds(3))
    #expect(one.session.status.summary == "connected", "\(String(describing: one.session.status.lastError))")
    #expect(try two.file.dump() == one.file.dump())
    #expect(try two.file.dump().objects["Item"]?.count == 1)
    #expect(try stage.serverDump() == one.file.dump())
  }

  @Test("random edits by three devices through lost connections end equal everywhere, with nothing left to send")
  func converge() throws {
    for seed in Seeds.some(12) {
      do { try converge(seed) } catch {
        Issue.record("SEED=\(seed): \(error)")
        return
      }
    }
  }

  private func converge(_ seed: UInt64) throws {
    let stage = try StoreStage(seed: seed)
    var random = SeededGenerator(seed: seed)
    stage.network.setConditions(
      LinkConditions(latency: .milliseconds(1) ... .milliseconds(40), breakProbability: 0.01))
    for name in ["one", "two", "three"] {
      let device = try stage.addDevice(name)
      try stage.commit(device, TodoEdits.schema)
    }
    for _ in 0..<60 {
      let device = stage.devices[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: stage.network.breakConnections(between: device.name, and: "server")
      case 1: device.session.suspend()
      case 2: device.session.resume()
      case 3, 4: stage.run(.milliseconds(Int64.random(in: 1..<400, using: &random)))
      default: try stage.commit(device, TodoEdits.some(on: device.file.dump(), using: &random))
      }
    }
    stage.network.setConditions(LinkConditions(latency: .milliseconds(1) ... .milliseconds(5)))
    for device in stage.devices { device.session.resume() }
    for _ in 0..<20 {
      for device in stage.devices { device.session.reconnect() }
      stage.run(.seconds(2))
    }
    let expected = try stage.serverDump()
    for device in stage.devices {
      let status = device.session.status
      #expect(
        status.pendingUploads == 0 && status.connection == .connected, "SEED=\(seed) \(device.name): \(status.summary)")
      #expect(status.state == .active, "SEED=\(seed) \(device.name): \(String(describing: status.lastError))")
      #expect(try device.file.dump() == expected, "SEED=\(seed): \(device.name) differs from the server")
    }
    #expect(!(expected.objects["Item"]?.isEmpty ?? true) || seed != 1)
  }
}
