import StorageEngine
import TestKit
import Testing

@Suite struct LogTests {
  @Test("a log keeps its entries in order and its size, and commits and rolls back with the data")
  func log() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let transaction = try store.beginWrite()
    let log = try transaction.log("history")
    #expect(try log.append([1]) == 1)
    #expect(try log.append([2, 2]) == 2)
    try log.put([9, 9, 9], at: 10)
    #expect(try log.totalBytes() == 6)
    #expect(try store.log("history").lastPosition() == nil)
    #expect(try transaction.commit() == SnapshotVersion(2))
    let reader = store.log("history")
    #expect(try reader.entries(in: 1...10).map(\.position) == [1, 2, 10])
    #expect(try reader.entries(in: 1...10, byteLimit: 2).map(\.position) == [1, 2])
    #expect(try reader.firstPosition() == 1)
    #expect(try reader.lastPosition() == 10)
    let abandoned = try store.beginWrite()
    try abandoned.log("history").deleteAll()
    abandoned.rollback()
    #expect(try reader.totalBytes() == 6)
    try store.write { try $0.log("history").delete(through: 2) }
    #expect(try reader.entries(in: .min ... .max) == [LogEntry(position: 10, content: [9, 9, 9])])
    #expect(try reader.totalBytes() == 3)
    try store.write { try $0.log("history").put([], at: 10) }
    #expect(try reader.entry(at: 10) == [])
    #expect(try reader.totalBytes() == 0)
  }

  @Test("versions with the same root records have the same records version")
  func recordsVersion() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()))
    let counters = try Counters(store, rows: 1)
    try store.write { transaction in
      let before = transaction.recordsVersion
      #expect(before != nil)
      try transaction.setRootRecord("schema", [1])
      #expect(transaction.recordsVersion == nil)
    }
    let first = try store.latestSnapshot().recordsVersion
    try store.write { transaction in
      #expect(transaction.recordsVersion == first)
      try counters.increment(transaction)
    }
    #expect(try store.latestSnapshot().recordsVersion == first)
    // Versions of another process that leave the records alone occur as well.
    let other = try OtherProcess("increment", folder.file(), "3")
    #expect(other.end() == 0)
    #expect(try store.latestSnapshot().recordsVersion == first)
    try store.write { try $0.setRootRecord("schema", [2]) }
    let second = try store.latestSnapshot()
    #expect(second.recordsVersion != first)
    #expect(try second.rootRecord("schema") == [2])
  }

  @Test("a transaction that changes nothing makes no version; one that writes a log makes one")
  func versions() throws {
    let store = try Store.open(.inMemory(name: "versions"))
    #expect(try store.beginWrite().commit() == SnapshotVersion(1))
    let transaction = try store.beginWrite()
    _ = try transaction.log("history").append([1])
    #expect(try transaction.commit() == SnapshotVersion(2))
    #expect(try store.latestSnapshot().version == SnapshotVersion(2))
  }
}
