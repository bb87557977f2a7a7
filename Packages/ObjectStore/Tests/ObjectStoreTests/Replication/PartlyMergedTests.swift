import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("downloads of which part meets what waits")
struct PartlyMergedTests {
  private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }

  private func set(_ key: Int64, _ field: String, _ value: Int64) -> Instruction {
    .update(Update(target: Target(object: item(key), field: field), payload: .int(value)))
  }

  private func create(_ key: Int64) -> Instruction { .createObject(CreateObject(object: item(key))) }

  private var start: [Instruction] {
    ModelState.sample().instructions + [create(1), create(800), set(800, "n", 1)]
  }

  /// A client on which the object with key 1 waits with its number 5, set late.
  private func waiting() throws -> ClientHistory {
    let client = ClientHistory(try memoryFile(recordsChangesets: true))
    try client.storeFileIdent(SaltedFileIdent(ident: FileIdent(3), salt: 1))
    try client.file.commit(start)
    let version = try client.file.store.latestSnapshot().version
    try client.integrate([], progress: progress(1, client: UInt64(version.rawValue)))
    try client.file.commit([set(1, "n", 5)], at: OriginTimestamp(100))
    return client
  }

  private func progress(_ server: UInt64, client: UInt64) -> SyncProgress {
    let version = ServerVersion(server)
    return SyncProgress(
      latestServerVersion: SaltedServerVersion(version: version, salt: 1),
      download: DownloadCursor(server: version, client: ClientVersion(client)), upload: .zero)
  }

  private func integrate(_ changesets: [[Instruction]], into client: ClientHistory) throws {
    let base = try client.progress().download.client
    let entries = changesets.enumerated().map { number, instructions in
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(50), file: FileIdent(7))
      let bytes = Changeset(instructions: instructions, origin: origin).encoded(strings: .beforeFirstUse)
      let cursor = DownloadCursor(server: ServerVersion(UInt64(number) + 2), client: base)
      return DownloadEntry(cursor: cursor, timestamp: origin.timestamp, origin: origin.file, changeset: bytes)
    }
    let last = progress(UInt64(changesets.count) + 1, client: base.rawValue)
    try client.integrate(entries, progress: last)
  }

  @Test("what comes before it in its changeset, and what follows, is applied once")
  func inTheMiddle() throws {
    func add(_ key: Int64, _ amount: Int64) -> Instruction {
      .addInteger(AddInteger(target: Target(object: item(key), field: "n"), amount: amount))
    }
    // None of these does the same when it is done twice.
    let first = [add(800, 1), add(800, 10), create(801), add(801, 1), add(801, 10)]
    let changesets = [first + [set(1, "n", 7), add(800, 100)], [add(800, 1_000), add(801, 100)]]
    // Wherever what meets stands.
    for place in 0...first.count {
      var moved = changesets
      moved[0].removeAll { $0 == set(1, "n", 7) }
      moved[0].insert(set(1, "n", 7), at: place)
      let client = try waiting()
      let before = try client.file.dump()
      try integrate(moved, into: client)
      let plain = try memoryFile()
      try plain.commit(start + [set(1, "n", 5)])
      #expect(try plain.dump() == before)
      try plain.commit(changesets.joined().filter { $0 != set(1, "n", 7) })
      #expect(try client.file.dump() == plain.dump(), "the later write of what waits stays")
    }
  }

  @Test("what is wrong is found at its instruction, before and after what meets")
  func errors() throws {
    let good = [set(800, "n", 10), set(800, "n", 11), set(1, "n", 7), set(800, "n", 12)]
    for place in 0...good.count {
      let client = try waiting()
      var bad = good
      bad.insert(set(800, "no such field", 1), at: place)
      let before = try client.file.dump()
      let error = #expect(throws: BadChangesetError.self) { try integrate([good, bad, good], into: client) }
      #expect(error?.changeset == 1)
      #expect(error?.instruction == place)
      #expect(error?.refusal == .unknownField)
      let alone = #expect(throws: BadChangesetError.self) { try integrate([bad, good], into: client) }
      #expect(alone?.changeset == 0)
      #expect(alone?.instruction == place)
      #expect(alone?.position != nil)
      #expect(try client.file.dump() == before)
    }
  }
}
