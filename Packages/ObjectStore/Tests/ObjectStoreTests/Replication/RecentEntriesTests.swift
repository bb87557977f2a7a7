import ChangesetOT
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("the newest entries of a client's history in memory")
struct RecentEntriesTests {
  private func entry(_ bytes: Int = 1) -> ClientLogEntry {
    ClientLogEntry(
      timestamp: OriginTimestamp(1), origin: .none, base: .zero, changeset: [UInt8](repeating: 7, count: bytes))
  }

  private func positions(_ recent: RecentEntries, _ range: ClosedRange<Int64>) -> [Int64]? {
    recent.entries(in: range)?.map(\.position)
  }

  @Test("a range is known when all of its versions are, those without an entry included")
  func ranges() {
    var recent = RecentEntries()
    #expect(positions(recent, 1...1) == nil)
    recent.insert(entry(), at: 5)
    recent.insert(nil, at: 6)
    recent.insert(entry(), at: 7)
    #expect(positions(recent, 5...7) == [5, 7])
    #expect(positions(recent, 6...6) == [])
    #expect(positions(recent, 4...7) == nil, "another may have made the fourth")
    #expect(positions(recent, 5...8) == nil, "another may have made the eighth")
  }

  @Test("what another process commits in between makes it begin anew, and what comes late is not known")
  func gaps() {
    var recent = RecentEntries()
    recent.insert(entry(), at: 5)
    recent.insert(entry(), at: 7)
    #expect(positions(recent, 5...7) == nil)
    #expect(positions(recent, 7...7) == [7])
    recent.insert(entry(), at: 6)
    #expect(positions(recent, 6...7) == nil)
  }

  @Test("the oldest go when they are too much, and those that nobody asks for")
  func forgetting() {
    var recent = RecentEntries()
    for version in Int64(1)...4 { recent.insert(entry(RecentEntries.limit / 3), at: version) }
    #expect(positions(recent, 1...4) == nil)
    #expect(positions(recent, 2...4) == [2, 3, 4])
    recent.forget(through: 3)
    #expect(positions(recent, 3...4) == nil)
    #expect(positions(recent, 4...4) == [4])
    recent.forget(through: 9)
    #expect(positions(recent, 4...4) == nil)
    recent.insert(nil, at: 10)
    #expect(positions(recent, 10...10) == [])
  }

  @Test("the last entry after a position is in memory, is not there, or has to be read")
  func last() throws {
    let store = try Store.open(.inMemory(name: "last entries"))
    let transaction = try store.beginWrite()
    defer { transaction.rollback() }
    let log = try transaction.log(ClientLog.entries)
    try log.put(entry().encoded(), at: 3)
    var recent = RecentEntries()
    recent.insert(entry(), at: 5)
    recent.insert(nil, at: 6)
    func last(after position: Int64, through newest: Int64) throws -> Int64? {
      try HistoryTail(log, through: newest, recent: recent).lastPosition(after: position)
    }
    #expect(try last(after: 4, through: 6) == 5)
    #expect(try last(after: 5, through: 6) == nil, "it is known that there is none")
    #expect(try last(after: 2, through: 6) == 3, "the third is not remembered")
    try log.put(entry().encoded(), at: 7)
    #expect(try last(after: 5, through: 7) == 7, "the seventh is not remembered")
    #expect(try last(after: 5, through: 6) == nil, "what came later does not count")
    #expect(try last(after: 7, through: 7) == nil)
  }

  @Test("a scan gives what the file holds, also what another process wrote there")
  func scans() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("a.realm").path
    let file = try RealmFile.open(.file(path: path), options: .init(recordsChangesets: true))
    let other = try Store.open(.file(path: path))
    func write(_ byte: UInt8) throws {
      try file.write(isRecorded: false) {
        try ClientLog.appendLocal([byte], at: OriginTimestamp(1), to: $0)
      }
    }
    func scan() throws -> [[UInt8]] {
      try ClientHistory(file).uploadableEntries(after: .zero).entries.map(\.changeset)
    }
    try write(1)
    #expect(try scan() == [[1]])
    let transaction = try other.beginWrite()
    let entry = ClientLogEntry(timestamp: OriginTimestamp(1), origin: .none, base: .zero, changeset: [2])
    try transaction.log(ClientLog.entries).put(entry.encoded(), at: Int64(transaction.version.rawValue) + 1)
    try transaction.commit()
    #expect(try scan() == [[1], [2]])
    try write(3)
    #expect(try scan() == [[1], [2], [3]])
    let counter = PendingUploadCounter(ClientHistory(file))
    #expect(try counter.count().changesets == 3)
    try file.write(isRecorded: false) { session in
      session.rewritesHistory = true
      try session.transaction.log(ClientLog.entries).delete(from: Int64(session.transaction.version.rawValue))
    }
    #expect(try scan() == [[1], [2]], "what rewrites the history is not overlooked")
    #expect(try counter.count().changesets == 2)
    let progress = SyncProgress(upload: UploadCursor(client: ClientVersion(100), server: .zero))
    try ClientHistory(file).integrate([], progress: progress)
    #expect(try counter.count().changesets == 0)
  }
}
