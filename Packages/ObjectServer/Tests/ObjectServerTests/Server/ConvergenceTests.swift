import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import Permissions
import ServerClusterTestSupport
import SyncProtocol
import Synchronization
import Telemetry
import TestKit
import Testing
import Transport

@Suite("convergence through the server")
struct ConvergenceTests {
  /// Both ways to keep realms must lead to the same end.
  static func histories(_ folder: String) throws -> [(String, any HistoryStores)] {
    let random = RandomSource(SeededGenerator(seed: 99))
    return [
      ("journal", JournalHistories(random: random)),
      ("object store", try TestStorage.histories(.folder(folder + "/store"), random: random, isDurable: false)),
    ]
  }

  @Test(
    "two files that name objects of theirs before they have an ident name different ones, whatever keeps the history")
  func ownObjects() throws {
    let folder = NSTemporaryDirectory() + "openrealm-own-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (kind, histories) in try Self.histories(folder) {
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
    for (kind, histories) in try Self.histories(folder) {
      try Self.converge(kind, histories, seed: seed)
    }
  }

  @Test("devices end equal whatever their clocks and the server's say", arguments: Seeds.some(40))
  func wrongClocks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 77)
    let server = JumpingClock()
    let folder = NSTemporaryDirectory() + "openrealm-clocks-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let histories = try TestStorage.histories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: 99)), isDurable: false,
      clock: server)
    let now = OriginTimestamp(unixMilliseconds: server.wallTime.millisecondsSince1970).rawValue
    let year: UInt64 = 365 * 86_400_000
    let choices = [1_000, now, now + OriginBound.tolerance - 1, now + year, now + 2 * year, UInt64(Int64.max) - 1_000]
    let clocks = (0..<3).map { _ in choices[Int.random(in: 0..<choices.count, using: &random)] }
    try Self.converge("clocks \(clocks)", histories, seed: seed, clocks: clocks) { server.jump(using: &random) }
  }

  @Test("a change from the future wins where its author saw nothing, and not against what is made later")
  func future() throws {
    let server = JumpingClock()
    let now = OriginTimestamp(unixMilliseconds: server.wallTime.millisecondsSince1970).rawValue
    let store = try TestStorage.histories(
      .memory(prefix: "future-"), random: RandomSource(SeededGenerator(seed: 3)), clock: server
    ).open(RealmPath("/ann/todo"), isNew: true)
    defer { store.close() }
    let files = try (0..<4).map { _ in try store.allocateClientFile().ident }
    func upload(_ file: Int, _ times: [UInt64]) throws {
      let entries = times.enumerated().map { index, time in
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(UInt64(index) + 2), server: .zero),
          timestamp: OriginTimestamp(time),
          origin: files[file], changeset: Self.declaring("T\(file)of\(index)"))
      }
      let progress = UploadCursor(client: ClientVersion(UInt64(times.count) + 1), server: .zero)
      let batch = UploadBatch(file: files[file], progress: progress, lockedServerVersion: .zero, entries: entries)
      #expect(try store.integrate([batch]) == [nil])
    }
    try upload(0, [now, now + OriginBound.tolerance])
    try upload(1, [UInt64(Int64.max), UInt64(Int64.max)])
    try upload(2, [UInt64(Int64.max) - 1])
    let scan = try store.scan(DownloadScanRequest(file: files[3], from: .zero, byteBudget: .max))
    let limit = now + OriginBound.tolerance
    #expect(scan.entries.map(\.timestamp.rawValue) == [now, limit, limit + 1, limit + 1, limit + 2])
  }

  /// A changeset that makes a class.
  private static func declaring(_ table: String) -> [UInt8] {
    Changeset(
      instructions: [.addTable(AddTable(table: table, primaryKey: PrimaryKeyColumn(field: "", type: .global)))],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
  }

  private static func converge(
    _ kind: String, _ histories: any HistoryStores, seed: UInt64, clocks: [UInt64] = [1_000, 1_000, 1_000],
    eachStep: () -> Void = {}
  ) throws {
    var random = SeededGenerator(seed: seed)
    let idle = Duration.milliseconds(Int64.random(in: 1...60, using: &random))
    let stage = try Stage(seed: seed, histories: histories) { $0.realmIdleTimeout = idle }
    let ann = try stage.user("ann")
    let devices = try clocks.enumerated().map { number, clock in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed, clock: clock)
    }
    for _ in 0..<40 {
      eachStep()
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

/// A clock that is set forth and back now and then.
private final class JumpingClock: WallClock {
  private let time = Mutex(WallTime(millisecondsSince1970: 1_760_000_000_000))

  var wallTime: WallTime { time.withLock { $0 } }

  func jump(using random: inout SeededGenerator) {
    guard random.oneIn(4) else { return }
    let seconds = Int64.random(in: -400_000...400_000, using: &random)
    time.withLock { $0 = $0 + .seconds(seconds) }
  }
}
