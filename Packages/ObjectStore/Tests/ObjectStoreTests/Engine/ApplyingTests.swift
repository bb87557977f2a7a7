import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore

@Suite("applying changesets")
struct ApplyingTests {
  @Test("a state that is built from instructions is that state")
  func sample() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    #expect(try file.dump() == ModelState.sample().dump)
  }

  @Test("random transactions do to a file what they do to the model")
  func model() throws {
    for seed in Seeds.some(60) {
      var state = ModelState.sample()
      let file = try memoryFile()
      try file.commit(state.instructions)
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      for _ in 0..<25 {
        let before = state
        let instructions = try generator.transaction(on: &state, edits: 4)
        do { try file.commit(instructions) } catch {
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
    #expect(error?.refusal == .unknownObject && error?.instruction == 2)
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
      let file = try memoryFile()
      try file.commit(state.instructions)
      var generator = EditGenerator(seed: seed, author: FileIdent(2))
      for _ in 0..<20 {
        var instructions = try generator.transaction(on: &state, edits: 3)
        instructions.shuffle(using: &random)
        if random.oneIn(2), let last = instructions.popLast() { instructions.insert(last, at: 0) }
        let before = try file.dump()
        do { try file.commit(instructions) } catch let error as BadChangesetError {
          #expect(error.instruction.map { instructions.indices.contains($0) } == true, "SEED=\(seed)")
          #expect(try file.dump() == before, "SEED=\(seed)")
        }
        try file.store.verify()
      }
    }
  }
}
