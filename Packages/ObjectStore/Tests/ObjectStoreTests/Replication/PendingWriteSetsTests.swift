import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what is remembered of changesets that wait")
struct PendingWriteSetsTests {
  private let ident = SaltedFileIdent(ident: FileIdent(3), salt: 1)

  private func write(_ keys: Range<Int64>) -> Changeset {
    Changeset(
      instructions: keys.map { .eraseObject(EraseObject(object: ObjectReference(className: "Item", key: .int($0)))) },
      origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: ident.ident))
  }

  /// Puts entries at positions, each of one object with the position as key.
  private func put(_ positions: [Int64], in file: RealmFile, keys: (Int64) -> Range<Int64> = { $0..<$0 + 1 }) throws {
    try file.write(isRecorded: false) { session in
      let log = try session.transaction.log(ClientLog.entries)
      for position in positions {
        let entry = ClientLogEntry(
          timestamp: OriginTimestamp(1), origin: .none, base: .zero, changeset: write(keys(position)).encoded())
        try log.put(entry.encoded(), at: position)
      }
    }
  }

  private func near(
    _ keys: Range<Int64>, after base: Int64, in file: RealmFile, _ known: inout PendingWriteSets,
    _ ident: SaltedFileIdent? = nil
  ) throws -> [Int64] {
    try file.write(isRecorded: false) { session in
      let history = HistoryTail(
        try session.transaction.log(ClientLog.entries), through: Int64(session.transaction.version.rawValue) + 99)
      var objects = try known.objects(after: base, in: history, of: ident ?? self.ident)
      let incoming = write(keys)
      let near = try known.positions(
        after: base, conflictingWith: WriteSet([incoming]), in: history, of: ident ?? self.ident)
      // The answer for all together agrees with the answers for each.
      #expect(incoming.instructions.contains { objects.mayConflict(with: $0) } == !near.isEmpty)
      return near
    }
  }

  @Test("those after the base that may meet are named, the ones that came since included")
  func positions() throws {
    let file = try memoryFile()
    var known = PendingWriteSets()
    #expect(try near(0..<9, after: 0, in: file, &known) == [])
    try put([2, 3, 7], in: file)
    #expect(try near(0..<9, after: 0, in: file, &known) == [2, 3, 7])
    #expect(try near(3..<4, after: 0, in: file, &known) == [3])
    #expect(try near(0..<9, after: 2, in: file, &known) == [3, 7])
    try put([8, 9], in: file)
    #expect(try near(7..<9, after: 2, in: file, &known) == [7, 8])
    #expect(try near(0..<99, after: 9, in: file, &known) == [])
    #expect(try near(0..<99, after: 0, in: file, &known) == [2, 3, 7, 8, 9], "an older base is looked up again")
  }

  @Test("each is read once, until the file is somebody else or its history is cut")
  func memory() throws {
    let file = try memoryFile()
    var known = PendingWriteSets()
    try put([2, 3], in: file)
    #expect(try near(0..<9, after: 0, in: file, &known) == [2, 3])
    try put([2], in: file) { _ in 50..<51 }
    #expect(try near(0..<9, after: 0, in: file, &known) == [2, 3], "what is known is not read again")
    let other = SaltedFileIdent(ident: FileIdent(4), salt: 2)
    #expect(try near(0..<9, after: 0, in: file, &known, other) == [3])
    try file.write(isRecorded: false) { session in
      try session.transaction.log(ClientLog.entries).delete(from: 3)
    }
    #expect(try near(50..<52, after: 0, in: file, &known, other) == [2], "the cut begins anew")
    try put([3], in: file) { _ in 50..<52 }
    #expect(try near(50..<52, after: 0, in: file, &known, other) == [2, 3])
  }

  @Test("more than fits is not kept, and is right all the same")
  func limit() throws {
    let file = try memoryFile()
    var known = PendingWriteSets()
    let many = Int64(PendingWriteSets.limit)
    try put([5], in: file) { _ in 0..<many }
    #expect(try near(many - 1..<many, after: 0, in: file, &known) == [5])
    try put([5], in: file)
    #expect(try near(5..<6, after: 0, in: file, &known) == [5])
    #expect(try near(many - 1..<many, after: 0, in: file, &known) == [])
  }
}
