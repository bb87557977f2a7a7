import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport

@Suite("convergence through the server")
struct ConvergenceTests {
  /// Both ways to keep realms must lead to the same end.
  static func histories(_ folder: String) -> [(String, any HistoryStores)] {
    let random = RandomSource(SeededGenerator(seed: 99))
    return [
      ("journal", JournalHistories(folder: folder + "/journal", random: random, isDurable: false)),
      ("object store", EmbeddedHistories(.folder(folder + "/store"), random: random, isDurable: false)),
    ]
  }

  @Test(
    "two files that name objects of theirs before they have an ident name different ones, whatever keeps the history")
  func ownObjects() throws {
    let folder = NSTemporaryDirectory() + "openrealm-own-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (kind, histories) in Self.histories(folder) {
      let store = try histories.open(RealmPath("/ann/todo"), isNew: true)
      defer { store.close() }
      let files = try (0..<3).map { _ in try store.allocateClientFile().ident }
      let changeset = Changeset(
        instructions: [
          .addTable(AddTable(table: "Leaf", primaryKey: PrimaryKeyColumn(field: "", type: .global))),
          .createObject(
            CreateObject(object: ObjectReference(className: "Leaf", key: .global(GlobalKey(high: 0, low: 7))))),
        ], origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none))
      for file in files.prefix(2) {
        let batch = UploadBatch(changeset.encoded(), from: file, version: 2, origin: file)
        #expect(try store.integrate([batch]) == [nil], "\(kind)")
      }
      let scan = try store.scan(DownloadScanRequest(file: files[2], from: .zero, byteBudget: .max))
      let made = try scan.entries.flatMap { entry in
        try Changeset(
          decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
        ).instructions.compactMap { instruction in
          if case .createObject(let it) = instruction { it.object.key } else { nil }
        }
      }
      #expect(made == files.prefix(2).map { .global(GlobalKey(high: $0.rawValue, low: 7)) }, "\(kind)")
    }
  }

  @Test(
    "devices that edit offline and online, through lost connections and crashes, end equal", arguments: Seeds.some(40))
  func random(seed: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-sim-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (kind, histories) in Self.histories(folder) {
      var random = SeededGenerator(seed: seed)
      let idle = Duration.milliseconds(Int64.random(in: 1...60, using: &random))
      let stage = try Stage(seed: seed, histories: histories) { $0.realmIdleTimeout = idle }
      let ann = try stage.user("ann")
      let devices = try (0..<3).map { number in
        try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
      }
      for _ in 0..<40 {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0...4: try device.edit(Int.random(in: 1...4, using: &random))
        case 5, 6: try device.connect(stage, token: ann.token)
        case 7: stage.network.breakConnections(between: device.name, and: "server")
        case 8 where random.oneIn(3): stage.crashAndRestart()
        default: break
        }
        stage.run(.milliseconds(Int64.random(in: 0...30, using: &random)))
      }
      for _ in 0..<50 {
        for device in devices { try device.connect(stage, token: ann.token) }
        stage.run(.seconds(1))
        if devices.allSatisfy(\.isSettled) { break }
      }
      stage.run(.seconds(1))
      let first = try #require(devices.first)
      for device in devices {
        #expect(device.failures == [], "SEED=\(seed) \(kind)")
        #expect(device.isSettled, "SEED=\(seed) \(kind): \(device.name) has unacknowledged commits")
        #expect(device.state == first.state, "SEED=\(seed) \(kind): \(device.name) differs")
      }
    }
  }
}
