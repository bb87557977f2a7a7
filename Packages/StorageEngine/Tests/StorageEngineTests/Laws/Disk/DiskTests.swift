import CSimulatedDisk
import Foundation
import TestKit
import Testing

@testable import StorageEngine

// One recording and one plan of failures per process, so one test at a time.
@Suite(.serialized) struct DiskTests {
  /// The content of a store at each version: its rows, and the length of its log.
  private struct History {
    var states: [UInt64: (model: Model, entries: Int64)] = [1: (Model(), 0)]
  }

  private func configuration(_ isSealed: Bool) throws -> StoreConfiguration {
    try #require(simulated_disk_register() == 0)
    var configuration = StoreConfiguration()
    configuration.fileSystem = SIMULATED_DISK_NAME
    if isSealed { configuration.key = EncryptionKey([UInt8](repeating: 7, count: 64)) }
    return configuration
  }

  /// Commits, checkpoints, compacts and reopens; marks each version when it is acknowledged.
  private func work(
    _ path: String, _ configuration: StoreConfiguration, using random: inout SeededGenerator
  ) throws -> History {
    var history = History()
    var (model, entries): (Model, Int64) = (Model(), 0)
    for round in 0..<3 {
      let store = try Store.open(.file(path: path), configuration: configuration)
      simulated_disk_mark(Int64(try store.latestSnapshot().version.rawValue))
      for step in 0..<7 {
        let version = try store.write { transaction in
          for _ in 0..<Int.random(in: 1...12, using: &random) { try model.change(transaction, using: &random) }
          _ = try transaction.log("history").append([UInt8](repeating: 1, count: 100))
          entries += 1
          return transaction.version.rawValue + 1
        }
        history.states[version] = (model, entries)
        simulated_disk_mark(Int64(version))
        if step == 3 {
          try store.database.writer.with { _ = try $0.sqlite.integer("PRAGMA wal_checkpoint(PASSIVE)") }
        }
        if round == 1, step == 5 { try store.compact() }
      }
    }
    return history
  }

  @Test(
    "no acknowledged commit is lost and none is seen in part, whichever unsynced writes a power loss leaves",
    arguments: [false, true])
  func powerLoss(isSealed: Bool) throws {
    let seed = Seeds.seed ?? 1
    let folder = TemporaryFolder()
    let configuration = try configuration(isSealed)
    simulated_disk_record(1)
    var random = SeededGenerator(seed: seed)
    let history = try work(folder.file(), configuration, using: &random)
    let images = DiskImages.taken()
    #expect(images.events.count > 300)
    let every = max(1, 24 / (Seeds.runs ?? 1))
    let losses: [DiskImages.Loss] = [.everything, .nothing] + Array(repeating: .some, count: min(Seeds.runs ?? 2, 20))
    var unsynced = 0
    var looked = 0
    // While the file is made, at every moment.
    let isLookedAt = { (moment: Int) in moment % every == 0 || moment < 60 || moment == images.events.count }
    try images.forEach(seed: seed, where: isLookedAt, losses: losses) {
      moment, loss, files, acknowledged in
      let comment: Comment = "SEED=\(seed) moment \(moment) of \(images.events.count), \(loss) lost"
      let place = TemporaryFolder()
      for (path, content) in files {
        try Data(content).write(to: URL(fileURLWithPath: place.file() + path.dropFirst(folder.file().count)))
      }
      var plain = configuration
      plain.fileSystem = nil
      plain.isDurable = false
      let store = try Store.open(.file(path: place.file()), configuration: plain)
      let snapshot = try store.latestSnapshot()
      #expect(snapshot.version.rawValue >= UInt64(acknowledged), comment)
      if snapshot.version.rawValue > UInt64(acknowledged) { unsynced += 1 }
      let state = try #require(history.states[snapshot.version.rawValue], comment)
      if moment % (every * 8) == 0 { try state.model.expectEqual(to: snapshot, comment) }
      #expect(try store.log("history").lastPosition() ?? 0 == state.entries, comment)
      try store.verify()
      try store.write { try $0.setRootRecord("after", [1]) }
      looked += 1
    }
    print("power loss: \(looked) disks, \(images.events.count) moments; \(unsynced) held a commit not yet acknowledged")
    // The disks did differ from the acknowledged content: commits in doubt exist.
    #expect(unsynced > 0)
  }

  private struct Plan: CustomStringConvertible {
    var kind: simulated_disk_kind
    var code: Int32
    var isForever = false
    var isTorn = false

    var description: String {
      "\(kind.rawValue) fails with \(code)\(isForever ? " for ever" : "")\(isTorn ? ", torn" : "")"
    }
  }

  private static let plans = [
    Plan(kind: SIMULATED_DISK_WRITE, code: 778), Plan(kind: SIMULATED_DISK_WRITE, code: 778, isTorn: true),
    Plan(kind: SIMULATED_DISK_WRITE, code: 778, isForever: true), Plan(kind: SIMULATED_DISK_WRITE, code: 13),
    Plan(kind: SIMULATED_DISK_WRITE, code: 13, isForever: true, isTorn: true),
    Plan(kind: SIMULATED_DISK_SYNC, code: 1034), Plan(kind: SIMULATED_DISK_SYNC, code: 1034, isForever: true),
    Plan(kind: SIMULATED_DISK_TRUNCATE, code: 1546, isForever: true),
  ]

  @Test("failing writes, syncs and full disks are typed errors, and leave acknowledged commits")
  func failingDisk() throws {
    let seed = Seeds.seed ?? 1
    let configuration = try configuration(false)
    var failures = 0
    for plan in Self.plans {
      for after in stride(from: 0, to: 60, by: max(1, 7 / (Seeds.runs ?? 1))) {
        let comment: Comment = "SEED=\(seed) \(plan) after \(after)"
        let folder = TemporaryFolder()
        var random = SeededGenerator(seed: seed)
        var store: Store? = try Store.open(.file(path: folder.file()), configuration: configuration)
        var model = Model()
        simulated_disk_fail(
          Int32(plan.kind.rawValue), Int64(after), plan.code, plan.isForever ? 1 : 0, plan.isTorn ? 1 : 0)
        for step in 0..<6 {
          var changed = model
          do {
            try store?.write { transaction in
              for _ in 0..<4 { try changed.change(transaction, using: &random) }
            }
            model = changed
          } catch let error as StorageError {
            failures += 1
            #expect([.ioFailed, .diskFull].contains(error.code), "\(comment): \(error)")
            #expect(!error.message.isEmpty)
          }
          if step == 3 { _ = try? store?.compact() }
        }
        if let store { try model.expectEqual(to: store.latestSnapshot(), comment) }
        simulated_disk_fail(0, 0, 0, 0, 0)
        for _ in 0..<2 {
          // The store goes on, and so does the next one.
          try store?.write { for _ in 0..<4 { try model.change($0, using: &random) } }
          try store?.verify()
          if let store { try model.expectEqual(to: store.latestSnapshot(), comment) }
          store = nil
          store = try Store.open(.file(path: folder.file()), configuration: configuration)
        }
      }
    }
    #expect(failures > Self.plans.count)
  }

  // Linux writes a file's time to the disk with the next sync after a query of its size.
  @Test("small commits seldom ask for the size of the log")
  func measures() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()), configuration: try configuration(false))
    let counters = try Counters(store, rows: 10)
    simulated_disk_record(1)
    for _ in 0..<200 { try store.write { try counters.increment($0) } }
    let measures = simulated_disk_measures()
    simulated_disk_record(0)
    #expect(measures < 40)
  }
}
