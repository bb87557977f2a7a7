import Foundation
import StorageEngine
import TestKit
import Testing

@Suite struct ProcessTests {
  @Test("two processes that write in turns lose nothing")
  func twoWriters() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    let others = try (0..<2).map { _ in try OtherProcess("increment", folder.file(), "40") }
    for _ in 0..<40 { try store.write { try counters.increment($0) } }
    for other in others { #expect(other.end() == 0) }
    let snapshot = try store.latestSnapshot()
    #expect(try counters.value(snapshot) == 120)
    #expect(snapshot.version == SnapshotVersion(122))
    try store.verify()
  }

  @Test("a writer that remembers its root builds on a later commit of another process")
  func writerBetween() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    for _ in 0..<3 {
      // No reads in between, so that only the transaction itself can find the other's commits.
      for _ in 0..<2 { try store.write { try counters.increment($0) } }
      #expect(try OtherProcess("increment", folder.file(), "2").end() == 0)
    }
    try store.write { try counters.increment($0) }
    let snapshot = try store.latestSnapshot()
    #expect(try counters.value(snapshot) == 13)
    #expect(snapshot.version == SnapshotVersion(15))
    try store.verify()
  }

  @Test("a snapshot of another process keeps its nodes while this one commits, until it ends")
  func pinOfOther() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 600, padding: 32)
    let other = try OtherProcess("hold", folder.file())
    #expect(other.line() == "ready")
    for _ in 0..<100 { try store.write { try counters.increment($0) } }
    #expect(try store.statistics().retiredNodeCount > 200)
    other.say("check")
    #expect(other.line() == "same")
    #expect(other.end() == 0)
    for _ in 0..<100 { try store.write { try counters.increment($0) } }
    #expect(try store.statistics().retiredNodeCount < 200)
    try store.verify()
  }

  @Test("a killed process keeps no version")
  func killedReader() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 600, padding: 32)
    let other = try OtherProcess("hold", folder.file())
    #expect(other.line() == "ready")
    other.kill()
    for _ in 0..<200 { try store.write { try counters.increment($0) } }
    #expect(try store.statistics().retiredNodeCount < 200)
  }

  @Test("a process observes the commits of another")
  func observation() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 1)
    let other = try OtherProcess("wait", folder.file(), "4")
    #expect(other.line() == "ready")
    for _ in 0..<2 { try store.write { try counters.increment($0) } }
    #expect(other.line() == "seen")
    #expect(other.end() == 0)
  }

  // RUNS=2000 kills two thousand.
  @Test("a process killed while it commits leaves a whole version and every commit it reported")
  func killedWriter() throws {
    let runs = Seeds.runs ?? 8
    for isEncrypted in [false, true] {
      let folder = TemporaryFolder()
      var configuration = StoreConfiguration()
      if isEncrypted { configuration.key = EncryptionKey([UInt8](repeating: 9, count: 64)) }
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      let counters = try Counters(store, rows: 300)
      var random = SeededGenerator(seed: Seeds.seed ?? 1)
      for round in 0..<max(runs / 2, 1) {
        let comment: Comment = "SEED=\(Seeds.seed ?? 1) round \(round)\(isEncrypted ? ", encrypted" : "")"
        let other = try OtherProcess("churn", folder.file(), key: isEncrypted ? 9 : nil)
        var reported: UInt64 = 0
        for _ in 0...Int.random(in: 0..<5, using: &random) {
          reported = other.line().flatMap { UInt64($0) } ?? reported
        }
        #expect(reported > 0, comment)
        usleep(UInt32.random(in: 0..<5000, using: &random))
        other.kill()
        while let line = other.line() { reported = UInt64(line) ?? reported }
        let snapshot = try store.latestSnapshot()
        #expect(snapshot.version.rawValue >= reported, comment)
        #expect(try counters.value(snapshot) == Int64(snapshot.version.rawValue) - 2, comment)
        if round % 8 == 0 { try store.verify() }
      }
      // The lock of the killed writer is gone.
      try store.write { try counters.increment($0) }
      try store.verify()
    }
  }

  @Test("a process that is killed within a write transaction leaves nothing of it, and frees the lock")
  func killedHoldingTheLock() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(50)
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let counters = try Counters(store, rows: 300)
    for round in 1...2 {
      let other = try OtherProcess("write-and-stay", folder.file())
      #expect(other.line() == "ready")
      let error = #expect(throws: StorageError.self) { try store.beginWrite() }
      #expect(error?.code == .locked)
      #expect(try counters.value(store.latestSnapshot()) == Int64(round - 1))
      other.kill()
      try store.write { try counters.increment($0) }
      #expect(try counters.value(store.latestSnapshot()) == Int64(round))
      try store.verify()
    }
  }

  @Test("a file that may not be written, in a folder that may not be written, is read as it stands")
  func readOnlyFolder() throws {
    for key in [nil, 9] as [UInt8?] {
      let folder = TemporaryFolder()
      do {
        var configuration = StoreConfiguration()
        configuration.key = key.map { EncryptionKey([UInt8](repeating: $0, count: 64)) }
        let store = try Store.open(.file(path: folder.file()), configuration: configuration)
        let counters = try Counters(store, rows: 300)
        try store.write { try counters.increment($0) }
      }
      try FileManager.default.removeItem(atPath: folder.file() + ".lock")
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file())
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
      let other = try OtherProcess("read", folder.file(), key: key)
      #expect(other.line() == "1")
      #expect(other.end() == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.realm"])
      // Commits that are still in the log are not skipped.
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
      try Data([1]).write(to: URL(fileURLWithPath: folder.file() + "-wal"))
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
      let refused = try OtherProcess("read", folder.file(), key: key)
      #expect(refused.line()?.contains("was not closed") == true)
      _ = refused.end()
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }
  }
}
