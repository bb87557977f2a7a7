import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("applying changesets")
struct ApplyingTests {
  @Test("a state that is built from instructions is that state")
  func sample() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    #expect(try file.dump() == ModelState.sample().dump)
  }

  @Test("random transactions do to a file what they do to the model", arguments: [false, true])
  func model(isEncoded: Bool) throws {
    for seed in Seeds.some(60) {
      var state = ModelState.sample()
      let file = try memoryFile()
      try file.commit(state.instructions)
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      for _ in 0..<25 {
        let before = state
        let instructions = try generator.transaction(on: &state, edits: 4)
        do { try file.commit(instructions, isEncoded: isEncoded) } catch {
          Issue.record("SEED=\(seed): \(error)\n\(before)")
          return
        }
        let dump = try file.dump()
        guard dump == state.dump else {
          Issue.record(
            "SEED=\(seed)\n\(instructions.map { "\($0)" }.joined(separator: "\n"))\nfound\n\(dump)\nexpected\n\(state.dump)"
          )
          return
        }
      }
      #expect(try LinkBooks(file).complaint == nil, "SEED=\(seed)")
    }
  }

  @Test("an object is found where it is now, however often it was erased, made again, or given another class")
  func addressedAgain() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    let object = item(900)
    let create = Instruction.createObject(CreateObject(object: object))
    let erase = Instruction.eraseObject(EraseObject(object: object))
    func set(_ field: String, _ value: Int64) -> Instruction {
      .update(Update(target: Target(object: object, field: field), payload: .int(value)))
    }
    try file.commit([create, set("n", 1), erase, create, set("n", 2)])
    #expect(try file.dump().objects["Item"]?.count == (ModelState.sample().dump.objects["Item"]?.count ?? 0) + 1)
    let error = #expect(throws: BadChangesetError.self) { try file.commit([set("n", 3), erase, set("n", 4)]) }
    #expect(error?.refusal == .unknownObject)
    #expect(error?.instruction == 2)
    let column = Instruction.addColumn(AddColumn(table: "Item", field: "late", type: .int))
    try file.commit([set("n", 5), column, set("late", 6)])
    try file.commit([set("late", 7), .eraseColumn(EraseColumn(table: "Item", field: "late"))])
    #expect(throws: BadChangesetError.self) {
      try file.commit([column, set("late", 7), .eraseColumn(EraseColumn(table: "Item", field: "late")), set("late", 8)])
    }
    try file.store.verify()
  }

  @Test("a link that arrives a second time follows its target when that is erased and comes back")
  func linkedTwice() throws {
    let file = try memoryFile()
    var state = ModelState.sample()
    try file.commit(state.instructions)
    let (origin, target) = (item(1), item(2))
    let link = Instruction.update(Update(target: Target(object: origin, field: "ref"), payload: .link(target)))
    let steps: [[Instruction]] = [
      [link], [link], [.eraseObject(EraseObject(object: target))], [.createObject(CreateObject(object: target))],
    ]
    for instructions in steps {
      try file.commit(instructions)
      for instruction in instructions { try state.apply(instruction) }
      #expect(try file.dump() == state.dump)
      #expect(try LinkBooks(file).complaint == nil)
    }
  }

  private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }

  @Test("a damaged changeset is refused or applied, and leaves the file untouched when refused")
  func damaged() throws {
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      var state = ModelState.sample()
      let (file, twin) = (try memoryFile(), try memoryFile())
      try file.commit(state.instructions)
      try twin.commit(state.instructions, isEncoded: true)
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      for _ in 0..<20 {
        var instructions = try generator.transaction(on: &state, edits: 3)
        instructions.shuffle(using: &random)
        if random.oneIn(2), let last = instructions.popLast() { instructions.insert(last, at: 0) }
        let before = try file.dump()
        let encoded = Result { try twin.commit(instructions, isEncoded: true) }
        do {
          try file.commit(instructions)
          try encoded.get()
        } catch let error as BadChangesetError {
          #expect(throws: (any Error).self) { try encoded.get() }
          if case .failure(let other) = encoded { #expect("\(other)" == "\(error)", "SEED=\(seed)") }
          #expect(error.instruction.map { instructions.indices.contains($0) } == true, "SEED=\(seed)")
          #expect(try file.dump() == before, "SEED=\(seed)")
        }
        #expect(try twin.dump() == file.dump(), "SEED=\(seed)")
        try file.store.verify()
      }
    }
  }

  /// Growing a list inside a mixed value by one element at a time took the square of its length: the value was decoded and
  /// written for every element.
  @Test("a run of changes inside one mixed value writes the value once")
  func runsInsideOneValue() throws {
    let target = Target(object: item(1), field: "m")
    func appending(_ count: Int) -> [Instruction] {
      (0..<count).map { number in
        .arrayInsert(
          ArrayInsert(
            target: Target(object: item(1), field: "m", path: [.index(UInt32(number))]),
            payload: .int(Int64(number)), priorSize: UInt32(number)))
      }
    }
    func changes(_ instructions: [Instruction]) throws -> UInt64 {
      let file = try memoryFile()
      try file.commit(ModelState.sample().instructions)
      return try file.write(isRecorded: false) { session in
        let before = session.writer.changeCount
        let changeset = Changeset(
          instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none))
        try ChangesetApplier(writer: session.writer).apply(changeset)
        return session.writer.changeCount - before
      }
    }
    let empty: [Instruction] = [
      .update(Update(target: target, payload: .list)), .clear(Clear(target: target, collection: .list)),
    ]
    #expect(try changes(empty + appending(10)) == changes(empty + appending(2_000)))
  }

  @Test("what is open inside a mixed value is written at the end, whatever follows the last instruction")
  func openAtTheEnd() throws {
    let target = Target(object: item(1), field: "m")
    let element = Target(object: item(1), field: "m", path: [.index(0)])
    let instructions: [Instruction] = [
      .update(Update(target: target, payload: .list)), .clear(Clear(target: target, collection: .list)),
      .arrayInsert(ArrayInsert(target: element, payload: .int(1), priorSize: 0)),
    ]
    var state = ModelState.sample()
    let file = try memoryFile()
    try file.commit(state.instructions)
    for instruction in instructions { try state.apply(instruction) }
    try file.write(isRecorded: false) { session in
      var decoder = ChangesetDecoder()
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
      let bytes = Changeset(instructions: instructions, origin: origin).encoded(strings: .beforeFirstUse)
      // One more name, for nothing.
      try ChangesetApplier(writer: session.writer).apply((bytes + [63, 2, 1, 0x7A])[...], with: &decoder, at: 0)
    }
    #expect(try file.dump() == state.dump)
  }

  @Test("what is open inside a mixed value is written before anything else looks at it", arguments: [false, true])
  func interleavedRuns(isEncoded: Bool) throws {
    func place(_ number: Int64, _ path: PathElement...) -> Target {
      Target(object: item(number), field: "m", path: path)
    }
    func insert(_ target: Target, _ payload: Payload, _ size: UInt32) -> Instruction {
      .arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: size))
    }
    func update(_ target: Target, _ payload: Payload, _ size: UInt32? = nil) -> Instruction {
      .update(Update(target: target, payload: payload, priorSize: size))
    }
    let steps: [Instruction] = [
      update(place(1), .list), .clear(Clear(target: place(1), collection: .list)),
      insert(place(1, .index(0)), .int(1), 0), update(place(2), .dictionary),
      insert(place(1, .index(1)), .link(item(2)), 1), update(place(2, .name("a")), .list),
      insert(place(2, .name("a"), .index(0)), .dictionary, 0), insert(place(1, .index(0)), .list, 2),
      update(place(2, .name("a"), .index(0), .name("b")), .int(3)), insert(place(1, .index(0), .index(0)), .int(4), 0),
      update(place(1), .list), .arrayErase(ArrayErase(target: place(1, .index(1)), priorSize: 3)),
      .eraseObject(EraseObject(object: item(2))), .createObject(CreateObject(object: item(2))),
      .arrayMove(ArrayMove(target: place(1, .index(0)), destination: 1, priorSize: 2)),
      .clear(Clear(target: place(1, .index(1)), collection: .list)), insert(place(1, .index(1), .index(0)), .null, 0),
      update(place(2), .int(5)), update(place(1, .index(0)), .int(6), 2), update(place(1), .null),
    ]
    for length in 1...steps.count {
      let file = try memoryFile()
      var state = ModelState.sample()
      try file.commit(state.instructions)
      try file.commit(Array(steps.prefix(length)), isEncoded: isEncoded)
      for step in steps.prefix(length) { try state.apply(step) }
      #expect(try file.dump() == state.dump, "after \(steps[length - 1])")
      #expect(try LinkBooks(file).complaint == nil)
    }
  }
}
