import ByteCoding
import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import RecordStore
import TestKit
import Testing

@testable import AdapterKit

@Suite("instructions of adapters against the history")
struct InstructionLawTests {
  @Test("every transaction that is told, carried as JSON and written to another realm, makes it the same")
  func mirrors() throws {
    for seed in Seeds.some(15) {
      do { try mirror(seed) } catch {
        Issue.record("SEED=\(seed): \(error)")
        return
      }
    }
  }

  private func mirror(_ seed: UInt64) throws {
    let (source, copy) = (try server(), try server())
    var reader = try RealmAdapter("mirror", of: "/a", source)
    let writer = try RealmAdapter("mirror", of: "/b", copy)
    var (told, kinds) = (0, Set<String>())
    try begin(source)
    var state = ModelState()
    try synchronize(&state, with: source)
    var generator = EditGenerator(seed: seed, author: .server)
    for number in 0..<30 {
      let instructions = try generator.transaction(on: &state, edits: 3)
      try commit(instructions, to: source)
      guard number % 4 == 3 || number == 29 else { continue }
      while let transaction = try reader.current() {
        let line = transaction.json.text
        let json = try JSONValue(parsing: line)
        let steps = try #require(json["instructions"]?.elements).map { try AdapterInstruction($0) }
        #expect(steps == transaction.instructions, "SEED=\(seed)")
        #expect(AdapterPosition.position(json["position"]?.string ?? "") == transaction.position)
        kinds.formUnion(try #require(json["instructions"]?.elements).compactMap { $0["type"]?.string })
        told += 1
        try writer.write(
          steps, number: transaction.position.version.rawValue, base: try copy.state().current.version,
          time: transaction.timestamp)
        try reader.advance()
      }
    }
    let (dump, expected) = (try copy.file.dump(), try source.file.dump())
    #expect(dump == expected, "SEED=\(seed): \(dump)\n--- expected\n\(expected)")
    #expect(told > 20, "SEED=\(seed)")
    #expect(kinds.isSuperset(of: ["ADD_TYPE", "INSERT", "SET", "LIST_INSERT"]), "SEED=\(seed): \(kinds.sorted())")
  }

  private func commit(_ instructions: [Instruction], to history: ServerHistory) throws {
    guard !instructions.isEmpty else { return }
    var random = SeededGenerator(seed: 1)
    let ident = try history.feedAuthor("someone", random: &random)
    let current = try history.state().current.version
    let last = try history.clientFile(ident)?.upload ?? UploadCursor(client: .zero, server: .zero)
    let cursor = UploadCursor(client: ClientVersion(last.client.rawValue + 1), server: current)
    let time = OriginTimestamp(current.rawValue)
    let changeset = Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: ident))
    let outcome = try history.integrate([
      UploadBatch(
        file: ident, progress: cursor, lockedServerVersion: current,
        entries: [UploadEntry(cursor: cursor, timestamp: time, changeset: changeset.encoded())])
    ])
    if case .refused(let refusal)? = outcome.first { throw refusal }
  }

  private func synchronize(_ state: inout ModelState, with history: ServerHistory) throws {
    guard let scan = try history.feedScan(after: .zero, byteLimit: 1 << 20) else { return }
    for entry in scan.entries { for instruction in try entry.instructions() { try state.apply(instruction) } }
  }

  /// The classes of the generator, with an object of each kind of place.
  private func begin(_ history: ServerHistory) throws {
    try history.file.edit { editor in
      try editor.addClasses(EditGenerator.schema)
      for key in Int64(1)...3 {
        let item = ObjectReference(className: "Item", key: .int(key))
        try editor.create(item)
        try editor.set(["tags": .list(["a", "b", "c"].map { .value(.string($0)) })], of: item)
      }
    }
  }
}
