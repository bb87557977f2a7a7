import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Synchronization
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("refused changesets")
struct RefusalTests {
  private let origin = ChangesetOrigin(timestamp: OriginTimestamp(5), file: FileIdent(2))
  private let first = ObjectReference(className: "Item", key: .int(1))

  /// The valid instructions with which every changeset of these tests begins.
  private var honest: [Instruction] {
    [
      .update(Update(target: Target(object: first, field: "n"), payload: .int(77))),
      .createObject(CreateObject(object: ObjectReference(className: "Item", key: .int(70)))),
      .eraseObject(EraseObject(object: ObjectReference(className: "Item", key: .int(3)))),
    ]
  }

  /// A server's file with the sample as version 1, made by its first client.
  private func served() throws -> (history: ServerHistory, clients: [FileIdent]) {
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(try memoryFile(), random: &random)
    let clients = try (0..<3).map { _ in try history.allocateClientFile(random: &random).ident }
    let base = ModelState.sample().instructions + RefusalTable.declarations
    #expect(try upload(base, to: history, from: clients[0], client: 2, base: 0) == nil)
    return (history, clients)
  }

  /// Uploads a changeset; returns why it was refused.
  private func upload(
    _ instructions: [Instruction], to history: ServerHistory, from file: FileIdent, client: UInt64, base: UInt64
  ) throws -> BadChangesetError? {
    let bytes = Changeset(instructions: instructions, origin: origin).encoded()
    let cursor = UploadCursor(client: ClientVersion(client), server: ServerVersion(base))
    let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(client), changeset: bytes)
    let batch = UploadBatch(file: file, progress: cursor, lockedServerVersion: .zero, entries: [entry])
    guard case .refused(.badChangeset(let error))? = try history.integrate([batch]).first else { return nil }
    return error
  }

  /// The byte at which an instruction begins.
  private func position(of number: Int, in instructions: [Instruction]) throws -> Int {
    var reader = ChangesetReader(Changeset(instructions: instructions, origin: origin).encoded())
    for _ in 0...number { _ = try reader.next() }
    return reader.instructionPosition
  }

  @Test("every rule is met by the table")
  func complete() {
    let met = Set(RefusalTable.rows.map(\.refusal)).union([.limitExceeded, .workExceeded])
    #expect(met == Set(ChangesetRefusal.allCases))
  }

  @Test("every broken rule is named, with instruction and byte, and nothing of the changeset stays")
  func table() throws {
    let (history, clients) = try served()
    let observed = Mutex(0)
    let token = try history.file.observeCommits { observed.withLock { $0 += 1 } }
    let before = try (history.file.dump(), history.state().current, history.file.store.latestSnapshot().version)
    for (refusal, instruction) in RefusalTable.rows {
      let instructions = honest + [instruction, .createObject(CreateObject(object: first))]
      let bytes = Changeset(instructions: instructions, origin: origin).encoded()
      guard (try? Changeset(decoding: bytes, origin: origin))?.instructions == instructions else {
        // The bytes cannot say it: a rule for callers within the process.
        let error = #expect(throws: BadChangesetError.self) { try history.file.commit(instructions) }
        #expect(error?.refusal == refusal, "\(instruction)")
        #expect(error?.instruction == 3, "\(instruction)")
        continue
      }
      let found = try upload(instructions, to: history, from: clients[1], client: 2, base: 1)
      let error = try #require(found, "\(instruction) is not refused")
      #expect(error.refusal == refusal, "\(instruction): \(error)")
      #expect(error.stage == .applying)
      #expect(error.instruction == 3, "\(instruction): \(error)")
      #expect(error.position == (try position(of: 3, in: instructions)), "\(instruction): \(error)")
      let after = try (history.file.dump(), history.state().current, history.file.store.latestSnapshot().version)
      #expect(after == before, "\(instruction)")
    }
    try history.file.store.verify()
    #expect(observed.withLock { $0 } == 0)
    _ = token
  }

  @Test("more than a file can hold is refused, not taken for a failing disk")
  func limit() throws {
    let (history, clients) = try served()
    let endless = (0..<4_200).flatMap { _ -> [Instruction] in
      [
        .addColumn(AddColumn(table: "Doc", field: "x", type: .int)),
        .eraseColumn(EraseColumn(table: "Doc", field: "x")),
      ]
    }
    let error = try upload(endless, to: history, from: clients[1], client: 2, base: 1)
    #expect(error?.refusal == .limitExceeded)
    #expect(error?.instruction.map { endless.indices.contains($0) } == true)
  }

  @Test("a changeset may declare thousands of classes and columns, and no more than a schema can have")
  func floods() throws {
    let (history, clients) = try served()
    let key = PrimaryKeyColumn(field: "_id", type: .int)
    var version: UInt64 = 1
    func flood(_ count: Int, _ instruction: (Int) -> Instruction) throws -> BadChangesetError? {
      version += 1
      return try upload((0..<count).map(instruction), to: history, from: clients[1], client: version, base: 1)
    }
    #expect(try flood(1_500) { .addTable(AddTable(table: "T\($0)", primaryKey: key)) } == nil)
    #expect(try flood(1_500) { .addColumn(AddColumn(table: "T0", field: "c\($0)", type: .int)) } == nil)
    let other = ObjectReference(className: "T1", key: .int(1))
    #expect(try flood(1) { _ in .createObject(CreateObject(object: other)) } == nil)
    let again = Instruction.addTable(AddTable(table: "T0", primaryKey: key))
    let tooMany = try flood(ChangesetApplier.schemaLimit + 1) { _ in again }
    #expect(tooMany?.refusal == .limitExceeded)
    #expect(tooMany?.instruction == ChangesetApplier.schemaLimit)
    #expect(try history.file.dump().objects["T1"]?.count == 1)
  }

  @Test("what was rolled back with a refused upload is not taken for the entry that has its version now")
  func versionsAgain() throws {
    let (history, clients) = try served()
    func write(_ object: ObjectReference, _ payload: Payload, at time: UInt64) -> Changeset {
      let update = Update(target: Target(object: object, field: "n"), payload: payload)
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(time), file: .none)
      return Changeset(instructions: [.update(update)], origin: origin)
    }
    func integrate(_ changesets: [Changeset], from file: FileIdent, client: UInt64) throws -> UploadOutcome? {
      let entries = changesets.enumerated().map { number, changeset in
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(client + UInt64(number)), server: ServerVersion(1)),
          timestamp: changeset.origin.timestamp, changeset: changeset.encoded())
      }
      let last = entries.last?.cursor ?? .zero
      return try history.integrate([
        UploadBatch(file: file, progress: last, lockedServerVersion: .zero, entries: entries)
      ]).first
    }
    // Version 2 is an edit of the second object for a moment, until the next changeset of the upload is refused.
    let second = ObjectReference(className: "Item", key: .int(2))
    let bad = try integrate(
      [write(second, .int(1), at: 5), write(second, .bool(true), at: 6)], from: clients[1], client: 2)
    guard case .refused? = bad else { throw Failure.notRefused }
    // Now it is one of the first, by the server itself, and a later one than what an upload brings.
    try history.file.commit(write(first, .int(2), at: 9).instructions, at: OriginTimestamp(9))
    let outcome = try integrate([write(first, .int(3), at: 1)], from: clients[0], client: 3)
    guard case .integrated? = outcome else { throw Failure.refused }
    #expect(try history.file.dump().objects["Item"]?[.int(1)]?["n"] == .value(.int(2)))
  }

  private enum Failure: Error { case refused, notRefused }

  @Test("after a merge the instruction is still the one that its author wrote")
  func merged() throws {
    let (history, clients) = try served()
    let erase: [Instruction] = [.eraseObject(EraseObject(object: first))]
    #expect(try upload(erase, to: history, from: clients[0], client: 3, base: 1) == nil)
    // The first two are dropped by the merge, the fourth offends.
    let second = ObjectReference(className: "Item", key: .int(2))
    let instructions: [Instruction] = [
      .update(Update(target: Target(object: first, field: "n"), payload: .int(1))),
      .update(Update(target: Target(object: first, field: "s"), payload: .string("gone"))),
      .update(Update(target: Target(object: second, field: "n"), payload: .int(1))),
      .update(Update(target: Target(object: second, field: "n"), payload: .bool(true))),
    ]
    let found = try upload(instructions, to: history, from: clients[1], client: 2, base: 1)
    let error = try #require(found)
    #expect(error.refusal == .otherType)
    #expect(error.instruction == 3)
    #expect(error.position == (try position(of: 3, in: instructions)))
  }

  @Test("what cannot be merged or decoded is named by its byte as well")
  func otherStages() throws {
    let (history, clients) = try served()
    let add: [Instruction] = [.addColumn(AddColumn(table: "Item", field: "fresh", type: .int))]
    #expect(try upload(add, to: history, from: clients[0], client: 3, base: 1) == nil)
    let other = honest + [.addColumn(AddColumn(table: "Item", field: "fresh", type: .string))]
    let unmergeable = try #require(try upload(other, to: history, from: clients[1], client: 2, base: 1))
    #expect(unmergeable.stage == .merging)
    #expect(unmergeable.contradictsSchema)
    #expect(unmergeable.instruction == 3)
    #expect(unmergeable.position == (try position(of: 3, in: other)))

    let cut = Array(Changeset(instructions: honest, origin: origin).encoded().dropLast())
    let cursor = UploadCursor(client: ClientVersion(2), server: ServerVersion(1))
    let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(1), changeset: cut)
    let batch = UploadBatch(file: clients[1], progress: cursor, lockedServerVersion: .zero, entries: [entry])
    guard case .refused(.badChangeset(let broken))? = try history.integrate([batch]).first else {
      Issue.record("a changeset that ends in the middle is not refused")
      return
    }
    #expect(broken.stage == .decoding)
    #expect(!broken.contradictsSchema)
    #expect(broken.position.map { $0 > 0 && $0 <= cut.count } == true)
  }
}
