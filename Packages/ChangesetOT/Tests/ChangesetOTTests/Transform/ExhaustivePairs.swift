import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Testing

/// Every small edit of a small realm: each kind of instruction at every target and in every relation of targets.
struct SmallEdits {
  let base: ModelState
  private(set) var all: [[Instruction]] = []

  private let item = ObjectReference(className: "Item", key: .int(1))
  private let other = ObjectReference(className: "Other", key: .int(1))

  /// - Parameter name: the dictionary key under which this author creates embedded objects.
  init(author name: String) throws {
    var state = ModelState.sample()
    let key = PrimaryKeyColumn(field: "_id", type: .int)
    try state.apply(.addTable(AddTable(table: "Other", primaryKey: key)))
    try state.apply(.addColumn(AddColumn(table: "Other", field: "v", type: .int)))
    try state.apply(.createObject(CreateObject(object: other)))
    base = state
    objects()
    values(name)
    mixed()
    list("tags", size: 3, .string("new"), write: .string("set"))
    list("refs", size: 3, .link(item), write: .link(ObjectReference(className: "Item", key: .int(2))))
    list("subs", size: 2, .objectValue, write: nil)
    list("m", size: 2, .int(8), write: .int(9))
    embedded()
    schema()
    // Only edits that apply to the base.
    all = all.filter { edit in
      var state = base
      return (try? state.apply(Changeset(instructions: edit, origin: anyOrigin))) != nil
    }
  }

  private func at(_ field: String, _ path: PathElement...) -> Target {
    Target(object: item, field: field, path: path)
  }
  private mutating func add(_ instructions: Instruction...) { all.append(instructions) }
  private mutating func update(_ target: Target, _ payload: Payload, isDefault: Bool = false) {
    add(.update(Update(target: target, payload: payload, isDefault: isDefault)))
  }

  private mutating func objects() {
    let third = ObjectReference(className: "Item", key: .int(9))
    add(.createObject(CreateObject(object: third)))
    add(
      .createObject(CreateObject(object: third)),
      .update(Update(target: Target(object: third, field: "n"), payload: .int(4))))
    add(.eraseObject(EraseObject(object: item)))
    add(.eraseObject(EraseObject(object: item)), .createObject(CreateObject(object: item)))
    add(.eraseObject(EraseObject(object: other)))
    update(at("ref"), .link(item))
    update(at("ref"), .null)
  }

  private mutating func values(_ name: String) {
    update(at("n"), .int(11))
    update(at("n"), .int(12), isDefault: true)
    update(at("o"), .null)
    update(at("o"), .int(3))
    add(.addInteger(AddInteger(target: at("n"), amount: 2)))
    add(.addInteger(AddInteger(target: at("o"), amount: 2)))
    for value in [Int64(1), 2, 3] {
      add(.setInsert(SetInsert(target: at("nums"), payload: .int(value))))
      add(.setErase(SetErase(target: at("nums"), payload: .int(value))))
    }
    add(.clear(Clear(target: at("nums"), collection: .set)))
    for key in ["a", "b"] {
      update(at("props", .name(key)), .int(7))
      update(at("props", .name(key)), .erased)
      update(at("props", .name(key)), .null)
    }
    update(at("props", .name("b")), .list)
    update(at("props", .name("l")), .erased)
    update(at("props", .name("l")), .dictionary)
    add(.clear(Clear(target: at("props", .name("l")), collection: .list)))
    add(.clear(Clear(target: at("props"), collection: .dictionary)))
    add(.arrayInsert(ArrayInsert(target: at("props", .name("l"), .index(1)), payload: .int(5), priorSize: 2)))
    add(.arrayErase(ArrayErase(target: at("props", .name("l"), .index(0)), priorSize: 2)))
    update(at("subd", .name("base")), .erased)
    update(at("subd", .name("base"), .name("x")), .int(1))
    add(.clear(Clear(target: at("subd"), collection: .dictionary)))
    add(
      .update(Update(target: at("subd", .name(name)), payload: .objectValue)),
      .update(Update(target: at("subd", .name(name), .name("x")), payload: .int(6))))
  }

  private mutating func mixed() {
    for payload in [Payload.null, .int(5), .dictionary, .link(item)] { update(at("m"), payload) }
    add(.update(Update(target: at("m"), payload: .null)), .update(Update(target: at("m"), payload: .list)))
    for index in [UInt32(0), 1] {
      for payload in [Payload.null, .int(4), .list] {
        add(.update(Update(target: at("m", .index(index)), payload: payload, priorSize: 2)))
      }
    }
    update(at("m", .index(1), .name("k")), .int(3))
    update(at("m", .index(1), .name("k")), .erased)
    update(at("m", .index(1), .name("j")), .list)
    add(.clear(Clear(target: at("m", .index(1)), collection: .dictionary)))
  }

  private mutating func list(_ field: String, size: UInt32, _ element: Payload, write: Payload?) {
    for index in 0...size {
      add(.arrayInsert(ArrayInsert(target: at(field, .index(index)), payload: element, priorSize: size)))
    }
    for index in 0..<size {
      if let write { add(.update(Update(target: at(field, .index(index)), payload: write, priorSize: size))) }
      add(.arrayErase(ArrayErase(target: at(field, .index(index)), priorSize: size)))
      for to in 0..<size where to != index {
        add(.arrayMove(ArrayMove(target: at(field, .index(index)), destination: to, priorSize: size)))
      }
    }
    add(.clear(Clear(target: at(field), collection: .list)))
  }

  private mutating func embedded() {
    update(at("sub"), .null)
    add(.update(Update(target: at("sub"), payload: .null)), .update(Update(target: at("sub"), payload: .objectValue)))
    update(at("sub", .name("x")), .int(1))
    add(.addInteger(AddInteger(target: at("sub", .name("x")), amount: 1)))
    add(.arrayInsert(ArrayInsert(target: at("sub", .name("l"), .index(0)), payload: .int(1), priorSize: 0)))
    add(.clear(Clear(target: at("sub", .name("l")), collection: .list)))
    for index in [UInt32(0), 1] {
      update(at("subs", .index(index), .name("x")), .int(Int64(index) + 3))
      add(.addInteger(AddInteger(target: at("subs", .index(index), .name("x")), amount: 1)))
      let inner = at("subs", .index(index), .name("l"), .index(0))
      add(.arrayInsert(ArrayInsert(target: inner, payload: .int(1), priorSize: 0)))
    }
  }

  private mutating func schema() {
    let key = PrimaryKeyColumn(field: "_id", type: .int)
    add(.addTable(AddTable(table: "Dog", primaryKey: key)))
    add(.addColumn(AddColumn(table: "Item", field: "c", type: .int)))
    add(.addColumn(AddColumn(table: "Item", field: "link", type: .link, isNullable: true, linkTarget: "Other")))
    for field in ["n", "tags", "nums", "props", "m", "subs", "sub"] {
      add(.eraseColumn(EraseColumn(table: "Item", field: field)))
    }
    add(.eraseTable(EraseTable(table: "Other")))
    let second = ObjectReference(className: "Other", key: .int(2))
    add(.createObject(CreateObject(object: second)))
    add(.update(Update(target: Target(object: other, field: "v"), payload: .int(2))))
    add(.eraseColumn(EraseColumn(table: "Other", field: "v")))
  }
}

@Suite("exhaustive pairs (Docs/Algebra.md)")
struct ExhaustivePairs {
  @Test("TP1 holds for every small edit against every other in both orders of time, and both engines agree")
  func everyPair() throws {
    let left = try SmallEdits(author: "left"), right = try SmallEdits(author: "right")
    #expect(left.all.count >= 130)
    let after = try left.all.map { try left.base.applying([changeset($0, 10, 2)]) }
    for (number, edit) in left.all.enumerated() {
      for other in right.all {
        for time in [UInt64(5), 15] {
          let (a, b) = ([changeset(edit, 10, 2)], [changeset(other, time, 3)])
          var (aOverB, bOverA) = (a, b)
          do {
            try Transformer(engine: .plain).transform(local: &aOverB, incoming: &bOverA)
            let one = try after[number].applying(bOverA)
            let two = try left.base.applying(b).applying(aOverB)
            #expect(one == two, "\(edit) at 10 and \(other) at \(time):\n\(one)\n---\n\(two)")
            var (fastA, fastB) = (a, b)
            try Transformer(engine: .fast).transform(local: &fastA, incoming: &fastB)
            #expect(fastA == aOverB, "\(edit) at 10 and \(other) at \(time)")
            #expect(fastB == bOverA, "\(edit) at 10 and \(other) at \(time)")
          } catch {
            Issue.record("\(edit) at 10 and \(other) at \(time): \(error)")
          }
        }
      }
    }
  }

  private func changeset(_ instructions: [Instruction], _ time: UInt64, _ file: UInt64) -> Changeset {
    Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(time), file: FileIdent(file)))
  }
}

extension ModelState {
  func applying(_ changesets: [Changeset]) throws -> ModelState {
    var state = self
    try state.apply(changesets)
    return state
  }
}
