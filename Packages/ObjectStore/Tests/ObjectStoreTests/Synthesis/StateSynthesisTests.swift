import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("synthesis of a state")
struct StateSynthesisTests {
  /// A file made by the pieces of another's state, and the pieces.
  private func copy(_ file: RealmFile, pieceSize: Int) throws -> (file: RealmFile, pieces: [[UInt8]]) {
    let copy = try memoryFile()
    var pieces: [[UInt8]] = []
    var synthesis = try StateSynthesis(file, pieceSize: pieceSize)
    while let piece = try synthesis.next() {
      pieces.append(piece)
      try copy.commit(try Changeset(decoding: piece, origin: origin).instructions)
    }
    #expect(try synthesis.next() == nil)
    return (copy, pieces)
  }

  private let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)

  private func check(_ file: RealmFile, _ seed: UInt64, _ random: inout SeededGenerator) throws {
    let size = random.pick([(1, 1), (2, 50), (2, 700), (1, 1 << 20)])
    let result = try copy(file, pieceSize: size)
    let (found, wanted) = try (result.file.dump(), file.dump())
    if found != wanted { Issue.record("SEED=\(seed)\nfound\n\(found)\nexpected\n\(wanted)") }
    try result.file.store.verify()
    #expect(try LinkBooks(result.file).complaint == nil, "SEED=\(seed)")
    #expect(try result.file.latestReadView().unresolvedCount == file.latestReadView().unresolvedCount, "SEED=\(seed)")
    // A copy of the copy is made of the same bytes.
    #expect(try copy(result.file, pieceSize: size).pieces.count == result.pieces.count, "SEED=\(seed)")
  }

  @Test("whatever transactions made is made again by its synthesis")
  func edited() throws {
    for seed in Seeds.some(25) {
      var random = SeededGenerator(seed: seed)
      var state = ModelState.sample()
      let file = try memoryFile()
      try file.commit(state.instructions)
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      for _ in 0..<20 { try file.commit(try generator.transaction(on: &state, edits: 4)) }
      try check(file, seed, &random)
    }
  }

  @Test("whatever live objects hold is made again")
  func live() throws {
    for seed in Seeds.some(10) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
      try realm.write { for _ in 0..<60 { edits.edit(realm) } }
      try check(realm.file, seed, &edits.random)
    }
  }

  @Test("links of every kind to objects that do not exist are made again, by name")
  func unresolved() throws {
    for seed in Seeds.some(10) {
      var random = SeededGenerator(seed: seed)
      try check(try unresolvedFile(seed), seed, &random)
    }
  }

  @Test("values of every type, in every kind of field, under every kind of key, are made again")
  func everyType() throws {
    let url = try #require(RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").first)
    let schema = try VectorFile(url).schema.schema
    for seed in Seeds.some(8) {
      var random = SeededGenerator(seed: seed)
      let memory = MemorySource(schema: schema)
      DataGenerator.fill(memory, count: 12, using: &random)
      let file = try memoryFile()
      _ = try StoreFiller.fill(file, from: memory)
      try check(file, seed, &random)
    }
  }

  @Test("values that are only nearly those of a new object are written, bit for bit")
  func nearlyInitial() throws {
    let file = try memoryFile()
    let object = ObjectReference(className: "A", key: .null)
    let payloads: [(PayloadType, Payload)] = [
      (.double, .double((-0.0).bitPattern)), (.float, .float(Float.nan.bitPattern | 1)), (.double, .double(7)),
      (.decimal128, .decimal128(try Decimal128(string: "0"))), (.string, .string("\0")),
      (.timestamp, .timestamp(Timestamp(seconds: 0, nanoseconds: -1))),
    ]
    var instructions: [Instruction] = [
      .addTable(AddTable(table: "A", primaryKey: PrimaryKeyColumn(field: "k", type: .int, isNullable: true))),
      .createObject(CreateObject(object: object)),
    ]
    for (number, (type, payload)) in payloads.enumerated() {
      for isNullable in [false, true] {
        let field = "f\(number)\(isNullable)"
        instructions.append(.addColumn(AddColumn(table: "A", field: field, type: type, isNullable: isNullable)))
        instructions.append(.update(Update(target: Target(object: object, field: field), payload: payload)))
      }
    }
    try file.commit(instructions)
    var synthesis = try StateSynthesis(file)
    let made = try Changeset(decoding: try #require(try synthesis.next()), origin: origin).instructions
    #expect(Set(made) == Set(instructions))
    #expect(try synthesis.next() == nil)
  }

  @Test("no piece is much larger than asked for, be it a list of twenty thousand elements")
  func bounded() throws {
    let file = try memoryFile()
    let object = ObjectReference(className: "A", key: .string("k"))
    var instructions: [Instruction] = [
      .addTable(AddTable(table: "A", primaryKey: PrimaryKeyColumn(field: "k", type: .string))),
      .addColumn(AddColumn(table: "A", field: "l", type: .int, collection: .list)),
      .addColumn(AddColumn(table: "A", field: "s", type: .int, collection: .set)),
      .createObject(CreateObject(object: object)),
    ]
    for number in UInt32(0)..<20_000 {
      let payload = Payload.int(Int64(number) * 7)
      let element = Target(object: object, field: "l", path: [.index(number)])
      instructions.append(.arrayInsert(ArrayInsert(target: element, payload: payload, priorSize: number)))
      if number % 4 == 0 {
        instructions.append(.setInsert(SetInsert(target: Target(object: object, field: "s"), payload: payload)))
      }
    }
    try file.commit(instructions)
    let result = try copy(file, pieceSize: 4_000)
    #expect(result.pieces.allSatisfy { $0.count < 4_100 })
    #expect(result.pieces.count > 50)
    #expect(try result.file.dump() == file.dump())
  }

  @Test("what is written during the walk is not part of it")
  func pinned() throws {
    let file = try memoryFile()
    var state = ModelState.sample()
    try file.commit(state.instructions)
    let before = try file.dump()
    var synthesis = try StateSynthesis(file, pieceSize: 40)
    let copy = try memoryFile()
    var generator = EditGenerator(seed: 3, author: FileIdent(2))
    while let piece = try synthesis.next() {
      try copy.commit(try Changeset(decoding: piece, origin: origin).instructions)
      try file.commit(try generator.transaction(on: &state, edits: 2))
    }
    #expect(try copy.dump() == before)
    #expect(try file.dump() != before)
  }

  @Test("a server says at which version of its history the state is")
  func server() throws {
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(try memoryFile(), random: &random)
    #expect(try history.synthesis().serverVersion == .zero)
    var empty = try history.synthesis()
    #expect(try empty.next() == nil)
    let client = try history.allocateClientFile(random: &random)
    let changeset = Changeset(instructions: ModelState.sample().instructions, origin: origin).encoded()
    let upload = UploadEntry(
      cursor: UploadCursor(client: ClientVersion(2), server: .zero), timestamp: OriginTimestamp(1), changeset: changeset
    )
    let batch = UploadBatch(
      file: client.ident, progress: upload.cursor, lockedServerVersion: .zero, entries: [upload])
    let outcome = try #require(try history.integrate([batch]).first)
    guard case .integrated = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let synthesis = try history.synthesis()
    #expect(synthesis.serverVersion == ServerVersion(1))
    #expect(synthesis.objectCount == 3)
    #expect(try copy(history.file, pieceSize: 100).file.dump() == history.file.dump())
  }
}
