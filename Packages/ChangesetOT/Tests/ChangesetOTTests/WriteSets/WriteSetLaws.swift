import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@Suite("write sets")
struct WriteSetLaws {
  @Test("instructions that cannot conflict may be left out of a merge, on both sides")
  func leftOut() throws {
    var leftOut = 0
    for seed in Seeds.some(400) {
      let pair = try ConcurrentPair(seed: seed, edits: seed.isMultiple(of: 4) ? 12 : 3)
      for (local, incoming) in [(pair.a, pair.b), (pair.b, pair.a)] {
        var (whole, transformed) = (local, incoming)
        try Transformer(engine: .plain).transform(local: &whole, incoming: &transformed)
        let all = WriteSet(incoming)
        let near = local.indices.filter { WriteSet(local[$0].instructions).mayConflict(with: all) }
        leftOut += local.count - near.count
        var (few, alone) = (near.map { local[$0] }, incoming)
        try Transformer().transform(local: &few, incoming: &alone)
        var joined = local
        for (index, changeset) in zip(near, few) { joined[index] = changeset }
        guard joined == whole, alone == transformed else {
          Issue.record("SEED=\(seed)\n\(pair.text)")
          return
        }
      }
    }
    #expect(leftOut > 100, "the law is not vacuous")
  }

  @Test("write sets conflict when they share an object, or when one has schema instructions")
  func table() {
    func write(_ key: ObjectKey, _ className: String = "Item") -> Instruction {
      .update(
        Update(target: Target(object: ObjectReference(className: className, key: key), field: "n"), payload: .null))
    }
    let erase = Instruction.eraseTable(EraseTable(table: "Other"))
    let rows: [(left: [Instruction], right: [Instruction], conflict: Bool)] = [
      ([], [], false), ([write(.int(1))], [], false), ([erase], [], false), ([erase], [erase], true),
      ([write(.int(1))], [write(.int(1))], true), ([write(.int(1))], [write(.int(2))], false),
      ([write(.int(1))], [write(.int(1), "Dog")], false), ([write(.int(1))], [erase], true),
      ([write(.string("1"))], [write(.int(1))], false),
      ((0..<50).map { write(.int($0)) }, [write(.int(60)), write(.int(49))], true),
      ((0..<50).map { write(.int($0)) }, [write(.int(60)), write(.int(-1))], false),
    ]
    for (left, right, conflict) in rows {
      #expect(WriteSet(left).mayConflict(with: WriteSet(right)) == conflict)
      #expect(WriteSet(right).mayConflict(with: WriteSet(left)) == conflict)
    }
    #expect(WriteSet([write(.int(1)), write(.int(1)), erase]).count == 1)
  }
}
