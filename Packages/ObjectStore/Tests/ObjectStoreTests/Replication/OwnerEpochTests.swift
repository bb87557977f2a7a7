import ChangesetOT
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("owners' epochs") struct OwnerEpochTests {
  private static func history(_ file: RealmFile, epoch: UInt64?) throws -> ServerHistory {
    var random = SeededGenerator(seed: 1)
    return try ServerHistory(file, random: &random, epoch: epoch.map { OwnerEpoch($0) }, isNew: false)
  }

  private static func add(_ table: String, to history: ServerHistory) throws {
    try history.file.commit([.addTable(AddTable(table: table, primaryKey: PrimaryKeyColumn(field: "id", type: .int)))])
  }

  private static func record(_ file: RealmFile) throws -> [UInt8]? {
    try file.store.latestSnapshot().rootRecord("server epochs")
  }

  private static func epochs(_ history: ServerHistory) throws -> [UInt64] {
    try history.feedScan(after: history.state().base, byteLimit: .max)?.entries.map(\.epoch.rawValue) ?? []
  }

  @Test("a history whose owner never changed has no record, and epoch 0")
  func common() throws {
    let history = try Self.history(try memoryFile(), epoch: nil)
    try Self.add("A", to: history)
    try Self.add("B", to: try Self.history(history.file, epoch: 0))
    #expect(try Self.record(history.file) == nil)
    #expect(try Self.epochs(history) == [0, 0])
  }

  @Test("each change of owner is one pair of version and epoch")
  func changes() throws {
    let file = try memoryFile()
    try Self.add("A", to: try Self.history(file, epoch: nil))
    let second = try Self.history(file, epoch: 5)
    try Self.add("B", to: second)
    try Self.add("C", to: second)
    #expect(try Self.record(file) == [1, 2, 5])
    let third = try Self.history(file, epoch: 300)
    try Self.add("D", to: third)
    #expect(try Self.record(file) == [2, 2, 5, 4, 0xAC, 0x02])
    #expect(try Self.epochs(third) == [0, 5, 5, 300])
  }

  @Test("uploads carry the epoch of the server that takes them")
  func uploads() throws {
    var random = SeededGenerator(seed: 1)
    let history = try Self.history(try memoryFile(), epoch: 3)
    let ident = try history.allocateClientFile(random: &random).ident
    let changeset = Changeset(
      instructions: [.addTable(AddTable(table: "A", primaryKey: PrimaryKeyColumn(field: "id", type: .int)))],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: ident))
    let cursor = UploadCursor(client: ClientVersion(2), server: .zero)
    let entry = UploadEntry(
      cursor: cursor, timestamp: OriginTimestamp(1), origin: .none, changeset: changeset.encoded())
    let batch = UploadBatch(file: ident, progress: cursor, lockedServerVersion: .zero, entries: [entry])
    _ = try history.integrate([batch])
    #expect(try Self.epochs(history) == [3])
  }

  @Test("an owner whose epoch is over can neither begin nor append")
  func ended() throws {
    let file = try memoryFile()
    try Self.add("A", to: try Self.history(file, epoch: 5))
    #expect(throws: RecordStoreError(.incompatibleHistories)) { try Self.history(file, epoch: 4) }
    try file.write(isRecorded: false) { session in
      try ServerEpochs.begin(OwnerEpoch(6), with: ServerVersion(2), base: .zero, in: session.transaction)
    }
    // The process that has the file with epoch 5 finds out when it writes.
    #expect(throws: RecordStoreError(.incompatibleHistories)) {
      try file.commit([.addTable(AddTable(table: "B", primaryKey: PrimaryKeyColumn(field: "id", type: .int)))])
    }
    #expect(try file.dump().objects.keys.sorted() == ["A"])
  }

  @Test("epochs that ended in the trimmed history are forgotten")
  func trimmed() throws {
    let file = try memoryFile()
    for epoch in UInt64(1)...3 { try Self.add("T\(epoch)", to: try Self.history(file, epoch: epoch)) }
    let last = try Self.history(file, epoch: 4)
    try last.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    try Self.add("T4", to: last)
    #expect(try Self.record(file) == [1, 4, 4])
    #expect(try Self.epochs(last) == [4])
  }

  @Test("a damaged record is an error")
  func damaged() throws {
    let file = try memoryFile()
    let history = try Self.history(file, epoch: nil)
    try Self.add("A", to: history)
    try file.write(isRecorded: false) { try $0.transaction.setRootRecord("server epochs", [2, 1]) }
    #expect(throws: RecordStoreError(.invalidDatabase)) { try history.feedScan(after: .zero, byteLimit: 1) }
  }
}
