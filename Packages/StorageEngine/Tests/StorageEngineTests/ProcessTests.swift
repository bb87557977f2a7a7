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

  @Test("a snapshot of another process keeps its nodes while this one commits, and gives them up when it ends")
  func pinOfOther() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 600)
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

  @Test("a killed process pins nothing")
  func killedReader() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 600)
    let other = try OtherProcess("hold", folder.file())
    #expect(other.line() == "ready")
    other.kill()
    for _ in 0..<200 { try store.write { try counters.increment($0) } }
    #expect(try store.statistics().retiredNodeCount < 200)
  }

  @Test("a process is told of the commits of another")
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

  @Test("a process killed while it commits leaves a whole version and every commit it reported")
  func killedWriter() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 300)
    for round in 0..<(Seeds.runs ?? 6) {
      let other = try OtherProcess("churn", folder.file())
      var reported: UInt64 = 0
      for _ in 0...(round % 5) { reported = other.line().flatMap { UInt64($0) } ?? reported }
      usleep(UInt32(round * 977 % 5000))
      other.kill()
      while let line = other.line() { reported = UInt64(line) ?? reported }
      let snapshot = try store.latestSnapshot()
      #expect(snapshot.version.rawValue >= reported)
      #expect(try counters.value(snapshot) == Int64(snapshot.version.rawValue) - 2)
      try store.verify()
    }
    // The lock of the killed writer is gone.
    try store.write { try counters.increment($0) }
  }
}
