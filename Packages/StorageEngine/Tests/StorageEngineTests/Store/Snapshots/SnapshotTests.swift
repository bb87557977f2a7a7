import Foundation
import StorageEngine
import Synchronization
import TestKit
import Testing

@Suite struct SnapshotTests {
  @Test("every held snapshot keeps showing its own version")
  func isolation() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.cacheBudgetInBytes = 100_000
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let counters = try Counters(store, rows: 700)
    var held: [Snapshot] = []
    for round in 0..<60 {
      try store.write { try counters.increment($0) }
      if round % 3 == 0 { held.append(try store.latestSnapshot()) }
      if round % 7 == 0, !held.isEmpty { held.remove(at: round % held.count) }
      for snapshot in held { #expect(try counters.value(snapshot) == Int64(snapshot.version.rawValue) - 2) }
    }
    held = []
    try store.verify()
  }

  @Test("readers on several threads see whole versions while a writer commits")
  func threads() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.cacheBudgetInBytes = 60_000
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let counters = try Counters(store, rows: 300)
    let isDone = Flag()
    let failures = Mutex<[String]>([])
    let ended = DispatchGroup()
    for number in 0..<4 {
      ended.enter()
      Thread.detachNewThread {
        defer { ended.leave() }
        do {
          if number == 0 {
            defer { isDone.value.store(true, ordering: .relaxed) }
            for _ in 0..<100 { try store.write { try counters.increment($0) } }
          }
          while number > 0, !isDone.value.load(ordering: .relaxed) {
            let snapshot = try store.latestSnapshot()
            let value = try counters.value(snapshot)
            if value != Int64(snapshot.version.rawValue) - 2 {
              failures.withLock { $0.append("\(snapshot.version): \(value)") }
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    ended.wait()
    #expect(failures.withLock { $0 } == [])
    try store.verify()
  }

  @Test("the file stays bounded under churn, and again after a long-lived reader has gone")
  func bounded() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let counters = try Counters(store, rows: 300, padding: 32)
    func churn(_ count: Int) throws { for _ in 0..<count { try store.write { try counters.increment($0) } } }
    try churn(40)
    let settled = try store.statistics()
    try churn(100)
    let later = try store.statistics()
    #expect(later.fileSizeInBytes < settled.fileSizeInBytes * 2)
    #expect(later.retiredNodeCount < 40 * settled.nodeCount)
    var reader: Snapshot? = try store.latestSnapshot()
    try churn(50)
    let held = try store.statistics()
    try churn(200)
    let grown = try store.statistics()
    // Nodes of the snapshot itself, not of the versions since.
    #expect(grown.retiredNodeCount < later.retiredNodeCount + settled.nodeCount)
    #expect(grown.fileSizeInBytes <= held.fileSizeInBytes * 12 / 10)
    #expect(try counters.value(#require(reader)) == 140)
    reader = nil
    try churn(100)
    let freed = try store.statistics()
    #expect(freed.retiredNodeCount < 40 * settled.nodeCount)
    #expect(freed.fileSizeInBytes <= grown.fileSizeInBytes * 12 / 10)
    try store.compact()
    #expect(try store.statistics().fileSizeInBytes < grown.fileSizeInBytes)
    try store.verify()
  }

  @Test("a commit is observed once, with its version, and not after cancelling")
  func observation() throws {
    let store = try Store.open(.inMemory(name: "observation"))
    let counters = try Counters(store, rows: 1)
    let seen = Mutex<[SnapshotVersion]>([])
    let observation = try store.observeCommits { version in seen.withLock { $0.append(version) } }
    for _ in 0..<3 { try store.write { try counters.increment($0) } }
    observation.cancel()
    try store.write { try counters.increment($0) }
    #expect(seen.withLock { $0 } == [SnapshotVersion(3), SnapshotVersion(4), SnapshotVersion(5)])
  }

  @Test("opening a path twice in one process gives one store")
  func oneStore() throws {
    let folder = TemporaryFolder()
    let first = try Store.open(.file(path: folder.file()))
    let second = try Store.open(.file(path: folder.path + "/./test.realm"))
    #expect(first === second)
  }
}

private final class Flag: Sendable {
  let value = Atomic<Bool>(false)

  @Test("a failed watch for commits of other processes is tried again")
  func failedWatching() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let lock = folder.file() + ".lock"
    try FileManager.default.moveItem(atPath: lock, toPath: lock + ".away")
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) { try store.observeCommits { _ in } }
      #expect(error?.code == .ioFailed)
    }
    try FileManager.default.moveItem(atPath: lock + ".away", toPath: lock)
    try store.observeCommits { _ in }.cancel()
  }
}
