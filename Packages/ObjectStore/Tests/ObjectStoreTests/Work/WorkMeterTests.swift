import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }

/// The cost that a few bytes may cause: the steps that are charged, and the uploads that are refused.
@Suite("the budget for work")
struct WorkMeterTests {
  private let origin = ChangesetOrigin(timestamp: OriginTimestamp(5), file: FileIdent(2))

  private func mixed(_ key: Int64, _ path: PathElement...) -> Target {
    Target(object: item(key), field: "m", path: path)
  }

  private func write(_ target: Target, _ payload: Payload, prior: UInt32? = nil) -> Instruction {
    .update(Update(target: target, payload: payload, priorSize: prior))
  }

  /// A list inside a mixed value.
  private func list(of size: UInt32, in key: Int64) -> [Instruction] {
    [write(mixed(key), .null), write(mixed(key), .list)]
      + (0..<size).map {
        Instruction.arrayInsert(ArrayInsert(target: mixed(key, .index($0)), payload: .int(7), priorSize: $0))
      }
  }

  /// Steps that a transaction is charged.
  private func charged(_ file: RealmFile, _ instructions: [Instruction]) throws -> Int {
    let session = try WriteSession(file, isRecorded: false)
    defer { session.rollback() }
    try ChangesetApplier(writer: session.writer).apply(Changeset(instructions: instructions, origin: origin))
    return session.writer.work.charged
  }

  private func isIntegrated(_ outcome: UploadOutcome) -> Bool {
    if case .integrated = outcome { true } else { false }
  }

  @Test("a meter refuses what exceeds its budget, and begins anew for others")
  func meter() throws {
    var meter = WorkMeter()
    try meter.charge(.max / 4)
    meter.allow(bytes: 10)
    try meter.charge(WorkMeter.base)
    try meter.charge(WorkMeter.perByte * 10)
    #expect(throws: Refusal.self) { try meter.charge(1) }
    meter.allow(bytes: 0)
    try meter.charge(1)
    meter.allow(bytes: .max)
    try meter.charge(.max / 4)
  }

  @Test("a few collections inside mixed values are charged once each, more of them in turn each time")
  func inTurn() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    let objects = (100..<Int64(100 + DirtyValues.limit + 1))
    try file.commit(objects.map { .createObject(CreateObject(object: item($0))) })
    for key in objects { try file.commit(list(of: 100, in: key)) }
    func set(_ key: Int64) -> Instruction { write(mixed(key, .index(0)), .int(1), prior: 100) }
    func number(_ key: Int64) -> Instruction { write(Target(object: item(key), field: "n"), .int(key)) }
    let once = try charged(file, [set(100)])
    #expect(once >= 100)
    #expect(try charged(file, Array(repeating: [set(100), number(100)], count: 50).flatMap { $0 }) == once)
    let few = objects.dropLast()
    #expect(try charged(file, (0..<5).flatMap { _ in few.map(set) }) == once * few.count)
    #expect(try charged(file, (0..<5).flatMap { _ in objects.map(set) }) == once * objects.count * 5)
  }

  @Test("a marker that changes nothing writes nothing")
  func markers() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    try file.commit(list(of: 500, in: 1))
    let session = try WriteSession(file, isRecorded: false)
    let before = session.writer.changeCount
    try ChangesetApplier(writer: session.writer).apply(
      Changeset(instructions: Array(repeating: write(mixed(1), .list), count: 10), origin: origin))
    #expect(session.writer.changeCount == before)
    session.rollback()
  }

  @Test("an upload beyond its budget is a bad changeset of its author, and nobody else notices")
  func refused() throws {
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(try memoryFile(), random: &random)
    let clients = try (0..<2).map { _ in try history.allocateClientFile(random: &random).ident }
    func batch(_ instructions: [Instruction], from file: FileIdent, client: UInt64, base: UInt64) -> UploadBatch {
      let cursor = UploadCursor(client: ClientVersion(client), server: ServerVersion(base))
      let bytes = Changeset(instructions: instructions, origin: origin).encoded()
      let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(client), changeset: bytes)
      return UploadBatch(file: file, progress: cursor, lockedServerVersion: .zero, entries: [entry])
    }
    let objects = (100..<Int64(109))
    let base =
      ModelState.sample().instructions + objects.map { .createObject(CreateObject(object: item($0))) }
      + objects.flatMap { list(of: 2_000, in: $0) }
    #expect(isIntegrated(try history.integrate([batch(base, from: clients[0], client: 2, base: 0)])[0]))
    // Each edit of a few bytes reads and writes 2,000 elements.
    let crafted = (0..<4_000).map { write(mixed(100 + Int64($0 % 9), .index(0)), .int(1), prior: 2_000) }
    let honest = [write(Target(object: item(1), field: "n"), .int(77))]
    let outcomes = try history.integrate([
      batch(crafted, from: clients[0], client: 3, base: 1), batch(honest, from: clients[1], client: 2, base: 1),
    ])
    guard case .refused(.badChangeset(let error)) = outcomes[0] else {
      Issue.record("integrated")
      return
    }
    #expect(error.refusal == .workExceeded)
    #expect((error.instruction ?? 0) > 1_000)
    #expect(error.position != nil)
    #expect(isIntegrated(outcomes[1]))
    #expect(try history.file.dump().objects["Item"]?[.int(1)]?["n"] == .value(.int(77)))
  }

  @Test("collections lie in each other 100 deep at most")
  func depth() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    func nested(_ depth: Int) -> [Instruction] {
      [write(mixed(3), .list)]
        + (1...depth).map { level in
          let path = Array(repeating: PathElement.index(0), count: level)
          return .arrayInsert(
            ArrayInsert(target: Target(object: item(3), field: "m", path: path), payload: .list, priorSize: 0))
        }
    }
    try file.commit(nested(100))
    #expect(try file.dump().objects["Item"]?[.int(3)]?["m"] != nil)
    try file.commit([write(mixed(3), .null)])
    let error = #expect(throws: BadChangesetError.self) { try file.commit(nested(101)) }
    #expect(error?.refusal == .limitExceeded)
    #expect(error?.instruction == 101)
  }
}
