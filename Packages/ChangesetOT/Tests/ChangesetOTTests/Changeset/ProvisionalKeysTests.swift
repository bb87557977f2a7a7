import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@Suite("provisional keys")
struct ProvisionalKeysTests {
  private static func leaf(_ high: UInt64, _ low: UInt64 = 4) -> ObjectReference {
    ObjectReference(className: "Leaf", key: .global(GlobalKey(high: high, low: low)))
  }

  /// Every instruction that names objects, with keys of this high half.
  private static func instructions(_ high: UInt64) -> [Instruction] {
    let target = Target(object: leaf(high), field: "f")
    let element = Target(object: leaf(high), field: "f", path: [.index(0)])
    let link = Payload.link(leaf(high, 5))
    return [
      .addTable(AddTable(table: "Leaf", primaryKey: PrimaryKeyColumn(field: "", type: .global))),
      .createObject(CreateObject(object: leaf(high))), .eraseObject(EraseObject(object: leaf(high))),
      .update(Update(target: target, payload: link)), .update(Update(target: target, payload: .int(0))),
      .addInteger(AddInteger(target: target, amount: 1)),
      .arrayInsert(ArrayInsert(target: element, payload: link, priorSize: 0)),
      .arrayMove(ArrayMove(target: element, destination: 1, priorSize: 2)),
      .arrayErase(ArrayErase(target: element, priorSize: 1)), .clear(Clear(target: target, collection: .list)),
      .setInsert(SetInsert(target: target, payload: link)), .setErase(SetErase(target: target, payload: link)),
    ]
  }

  @Test("a high half of 0 becomes the author's ident wherever an object is named, and nothing else changes")
  func named() {
    func changeset(_ instructions: [Instruction], _ file: UInt64) -> Changeset {
      Changeset(
        instructions: instructions,
        origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(file)))
    }
    for instruction in Self.instructions(0).dropFirst() {
      var one = changeset([instruction], 9)
      let isChanged = one.resolveProvisionalKeys()
      #expect(isChanged, "\(instruction)")
    }
    var own = changeset(Self.instructions(0), 9)
    own.resolveProvisionalKeys()
    #expect(own == changeset(Self.instructions(9), 9))
    for (high, file) in [(0, 0), (3, 9), (9, 9)] as [(UInt64, UInt64)] {
      var same = changeset(Self.instructions(high), file)
      let isChanged = same.resolveProvisionalKeys()
      #expect(!isChanged)
      #expect(same == changeset(Self.instructions(high), file))
    }
    // A link alone is enough.
    let link = Update(
      target: Target(object: ObjectReference(className: "A", key: .int(0)), field: "f"), payload: .link(Self.leaf(0)))
    var linking = changeset([.update(link)], 9)
    linking.resolveProvisionalKeys()
    #expect("\(linking.instructions)".contains("Leaf[{9, 4}]"))
  }

  @Test("a collector finds provisional keys in the bytes")
  func ofBytes() throws {
    func hasProvisionalKeys(_ instructions: [Instruction]) throws -> Bool {
      var (collector, decoder) = (WriteSetCollector(), ChangesetDecoder())
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(9))
      try collector.add(Changeset(instructions: instructions, origin: origin).encoded()[...], with: &decoder)
      return collector.hasProvisionalKeys
    }
    for instruction in Self.instructions(0).dropFirst() {
      #expect(try hasProvisionalKeys([instruction]), "\(instruction)")
    }
    #expect(try !hasProvisionalKeys(Self.instructions(9)))
    // Behind other instructions, and behind updates that are read as cells.
    let cell = Update(target: Target(object: Self.leaf(9), field: "f"), payload: .int(0))
    let link = Update(target: Target(object: Self.leaf(9), field: "g"), payload: .link(Self.leaf(0)))
    #expect(try hasProvisionalKeys([.update(cell), .update(cell), .update(link), .update(cell)]))
  }

  @Test("objects with primary keys keep them", arguments: Seeds.some(10))
  func others(seed: UInt64) throws {
    var state = ModelState.sample()
    var generator = EditGenerator(seed: seed, author: FileIdent(2))
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: FileIdent(2))
    let instructions = try generator.transaction(on: &state, edits: 20)
    var changeset = Changeset(instructions: instructions, origin: origin)
    changeset.resolveProvisionalKeys()
    for (old, new) in zip(instructions, changeset.instructions) where old != new {
      #expect("\(old)".contains("{0, "), "SEED=\(seed): \(old)")
      #expect(!"\(new)".contains("{0, "), "SEED=\(seed): \(old)")
    }
    #expect(instructions.count == changeset.instructions.count)
  }
}
