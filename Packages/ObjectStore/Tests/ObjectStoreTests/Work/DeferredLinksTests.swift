import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }

@Suite("links to objects that come and go within a transaction")
struct DeferredLinksTests {
  /// A random edit of objects that link to each other, by which objects vanish without their links being taken away first.
  private func instruction(_ random: inout SeededGenerator, _ sizes: inout [Int64: UInt32]) -> Instruction? {
    func key() -> Int64 { Int64(random.below(6)) + 1 }
    let (one, other) = (key(), key())
    let (origin, link) = (item(one), Payload.link(item(other)))
    let action = random.below(12)
    guard sizes[one] != nil || action < 4 else { return nil }
    let refs = Target(object: origin, field: "refs")
    func element(_ index: UInt32) -> Target { Target(object: origin, field: "refs", path: [.index(index)]) }
    let size = sizes[one] ?? 0
    switch action {
    case 0, 1:
      if sizes[one] == nil { sizes[one] = 0 }
      return .createObject(CreateObject(object: origin))
    case 2, 3:
      sizes[one] = nil
      return .eraseObject(EraseObject(object: origin))
    case 4: return .update(Update(target: Target(object: origin, field: "ref"), payload: link))
    case 5: return .update(Update(target: Target(object: origin, field: "m"), payload: link))
    case 6, 7: return .setInsert(SetInsert(target: Target(object: origin, field: "rset"), payload: link))
    case 8: return .setErase(SetErase(target: Target(object: origin, field: "rset"), payload: link))
    case 9:
      sizes[one] = size + 1
      return .arrayInsert(
        ArrayInsert(target: element(UInt32(random.below(Int(size) + 1))), payload: link, priorSize: size))
    case 10 where size > 0:
      sizes[one] = size - 1
      return .arrayErase(ArrayErase(target: element(UInt32(random.below(Int(size)))), priorSize: size))
    case 10: return .clear(Clear(target: refs, collection: .list))
    default:
      let entry = Target(object: origin, field: "props", path: [.name("p\(other % 2)")])
      return .update(Update(target: entry, payload: link))
    }
  }

  @Test("a transaction ends where its instructions lead one by one")
  func law() throws {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      let (whole, single) = (try memoryFile(), try memoryFile())
      for file in [whole, single] { try file.commit(ModelState.sample().instructions) }
      var sizes: [Int64: UInt32] = [1: 3, 2: 3, 3: 3]
      for _ in 0..<4 {
        let instructions = (0..<40).compactMap { _ in instruction(&random, &sizes) }
        try whole.commit(instructions, isEncoded: random.oneIn(2))
        for instruction in instructions { try single.commit([instruction]) }
        #expect(try whole.dump() == single.dump(), "SEED=\(seed)")
        #expect(try LinkBooks(whole).complaint == nil, "SEED=\(seed)")
      }
      try whole.store.verify()
    }
  }

  @Test("a class that goes takes the links to its erased objects with it")
  func droppedClass() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    let dog = ObjectReference(className: "Dog", key: .int(1))
    let mixed = Target(object: item(1), field: "m")
    try file.commit([
      .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
      .createObject(CreateObject(object: dog)), .update(Update(target: mixed, payload: .link(dog))),
      .eraseObject(EraseObject(object: dog)), .eraseTable(EraseTable(table: "Dog")),
    ])
    #expect(try file.dump().objects["Item"]?[.int(1)]?["m"] == .value(.null))
    #expect(try LinkBooks(file).complaint == nil)
    try file.store.verify()
  }
}
