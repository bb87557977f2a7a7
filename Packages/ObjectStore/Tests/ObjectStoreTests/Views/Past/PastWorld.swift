import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A random history of one file: objects come and go with links of every kind to them, and a snapshot of each version is
/// kept beside the inverses.
struct PastWorld {
  let file: RealmFile
  /// The state after each version, the first of which is the base.
  private(set) var states: [ReadView] = []
  private(set) var past = PastStates()
  /// The instructions of each version after the base.
  private(set) var log: [[Instruction]] = []
  private(set) var random: SeededGenerator
  private var generator: EditGenerator
  private var model: ModelState
  private var fresh: Int64 = 0

  /// - Parameter fillers: dogs that nothing happens to, so that classes have several clusters.
  ///   The base is what is left of many edits.
  init(seed: UInt64, fillers: Int64) throws {
    random = SeededGenerator(seed: seed &+ 0x9A57)
    var weights = EditGenerator.Weights()
    weights.schema = 0
    weights.objects = 2
    generator = EditGenerator(seed: seed, author: FileIdent(2), weights: weights)
    generator.keyLimit = 7
    model = ModelState.sample()
    file = try memoryFile()
    var base = model.instructions
    for instruction in Self.schema {
      try model.apply(instruction)
      base.append(instruction)
    }
    for key in 0..<fillers {
      let dog = Self.dog(1_000 + key)
      base.append(.createObject(CreateObject(object: dog)))
      base.append(.update(Update(target: Target(object: dog, field: "age"), payload: .int(key % 10))))
    }
    for _ in 0..<60 { base += try edits() }
    try file.commit(base)
    try file.write(isRecorded: false) { session in
      for (name, field) in [("Item", "n"), ("Item", "s"), ("Dog", "age"), ("Dog", "name")] {
        guard let layout = session.writer.catalog[name], let field = layout.field(field) else { continue }
        try session.writer.setIndexed(true, field, of: layout)
      }
    }
    states.append(try file.latestReadView())
  }

  /// Beside the class of the edit generator: a class with links, one without primary key, and links of every kind.
  static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "", type: .global))),
    column("Dog", "age", .int), column("Dog", "name", .string, isNullable: true),
    column("Dog", "owner", .link, isNullable: true, to: "Item"),
    column("Dog", "friends", .link, .list, to: "Dog"),
    column("Note", "text", .string), column("Note", "about", nil, isNullable: true),
    column("Item", "d", .double), column("Item", "dog", .link, isNullable: true, to: "Dog"),
    column("Item", "dict", .link, .dictionary, isNullable: true, to: "Dog"),
    column("Item", "names", .string, .dictionary), column("Item", "things", nil, .list, isNullable: true),
    column("Sub", "who", .link, isNullable: true, to: "Item"),
  ]

  private static func column(
    _ table: String, _ field: String, _ type: PayloadType?, _ collection: CollectionKind = .single,
    isNullable: Bool = false, to target: String? = nil
  ) -> Instruction {
    .addColumn(
      AddColumn(
        table: table, field: field, type: type, isNullable: isNullable, collection: collection, linkTarget: target))
  }

  static func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }
  static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }
  static func note(_ key: UInt64) -> ObjectReference {
    ObjectReference(className: "Note", key: .global(GlobalKey(high: 3, low: key)))
  }

  // MARK: Versions

  mutating func run(versions: Int) throws {
    for _ in 0..<versions {
      var instructions: [Instruction] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) { instructions += try edits() }
      try commit(instructions)
    }
  }

  /// Writes one version, its inverse as it is kept.
  mutating func commit(_ instructions: [Instruction]) throws {
    let inverse = try VersionInverse(of: instructions, in: file.latestReadView())
    past.add(try VersionInverse(decoding: inverse.encoded()), at: ServerVersion(UInt64(states.count)))
    try file.commit(instructions)
    states.append(try file.latestReadView())
    log.append(instructions)
  }

  private mutating func edits() throws -> [Instruction] {
    if random.oneIn(3) { return try generator.transaction(on: &model, edits: 1) }
    let made = ownEdits()
    for instruction in made { try model.apply(instruction) }
    return made
  }

  private mutating func number(_ limit: Int64) -> Int64 { Int64.random(in: 1...limit, using: &random) }

  /// A link, also to an object that does not exist.
  private mutating func someLink() -> Payload {
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: .link(Self.item(number(7)))
    case 2: .link(Self.note(UInt64(number(3))))
    default: .link(Self.dog(number(5)))
    }
  }

  private func items(_ object: ObjectReference, _ field: String) -> Int {
    if case .list(let items)? = model.objects[object.className]?[object.key]?[field] { items.count } else { 0 }
  }

  private mutating func ownEdits() -> [Instruction] {
    fresh += 1
    let (item, dog, note) = (Self.item(number(7)), Self.dog(number(5)), Self.note(UInt64(number(3))))
    let kind = Int.random(in: 0..<17, using: &random)
    switch kind {
    case 0, 1: return toggle(item, [("n", .int(number(9))), ("ref", .link(Self.item(number(7))))])
    case 2, 3: return toggle(dog, [("age", .int(number(9))), ("owner", .link(Self.item(number(7))))])
    case 4: return toggle(note, [("about", someLink()), ("text", .string("t\(fresh % 4)"))])
    default: break
    }
    if model.contains(dog), kind < 8 {
      switch kind {
      case 5: return [set(dog, "owner", random.oneIn(4) ? .null : .link(item))]
      case 6: return listEdit(dog, "friends", .link(Self.dog(number(5))))
      default:
        return [set(dog, "age", .int(number(9))), set(dog, "name", random.oneIn(3) ? .null : .string("d\(number(4))"))]
      }
    }
    guard model.contains(item) else { return [] }
    switch kind {
    case 8: return [set(item, "dog", random.oneIn(4) ? .null : .link(dog))]
    case 9: return [set(item, "dict", random.oneIn(4) ? .erased : .link(dog), [.name(random.oneIn(2) ? "a" : "b")])]
    case 10: return [set(item, "names", random.oneIn(4) ? .erased : .string("d\(number(4))"), [.name("k\(number(2))")])]
    case 11: return [set(item, "d", .double((Double(number(9)) / 2).bitPattern))]
    case 12: return nestedLink(item)
    case 13: return subLink(item)
    case 14: return listEdit(item, "refs", .link(Self.item(number(7))))
    case 15: return listEdit(item, "things", random.oneIn(3) ? .int(number(4)) : someLink())
    default:
      let link = Payload.link(Self.item(number(7)))
      let target = Target(object: item, field: "rset")
      if case .set(let values)? = model.objects["Item"]?[item.key]?["rset"], values.contains(link) {
        return [.setErase(SetErase(target: target, payload: link))]
      }
      return [.setInsert(SetInsert(target: target, payload: link))]
    }
  }

  private func set(
    _ object: ObjectReference, _ field: String, _ payload: Payload, _ path: [PathElement] = []
  ) -> Instruction {
    .update(Update(target: Target(object: object, field: field, path: path), payload: payload))
  }

  /// An object comes, or goes as a peer erases it: links to it stay. Sometimes both in one version.
  private mutating func toggle(_ object: ObjectReference, _ fields: [(String, Payload)]) -> [Instruction] {
    let create = [.createObject(CreateObject(object: object))] + fields.map { set(object, $0.0, $0.1) }
    guard model.contains(object) else { return create }
    let erase = [Instruction.eraseObject(EraseObject(object: object))]
    return random.oneIn(4) ? erase + create : erase
  }

  private mutating func listEdit(_ object: ObjectReference, _ field: String, _ element: Payload) -> [Instruction] {
    let count = items(object, field)
    func place(_ index: Int) -> Target {
      Target(object: object, field: field, path: [.index(UInt32(index))])
    }
    if count > 0, random.oneIn(3) {
      let index = Int.random(in: 0..<count, using: &random)
      return [.arrayErase(ArrayErase(target: place(index), priorSize: UInt32(count)))]
    }
    let index = Int.random(in: 0...count, using: &random)
    return [.arrayInsert(ArrayInsert(target: place(index), payload: element, priorSize: UInt32(count)))]
  }

  /// A link in a mixed value, by itself or deep inside.
  private mutating func nestedLink(_ item: ObjectReference) -> [Instruction] {
    if random.oneIn(2) { return [set(item, "m", someLink())] }
    let target = Target(object: item, field: "m", path: [.index(0)])
    return [
      set(item, "m", .null), set(item, "m", .list),
      .arrayInsert(ArrayInsert(target: target, payload: .dictionary, priorSize: 0)),
      set(item, "m", someLink(), [.index(0), .name("k")]),
    ]
  }

  /// A link in an embedded object.
  private mutating func subLink(_ item: ObjectReference) -> [Instruction] {
    let link = Payload.link(Self.item(number(7)))
    if case .object? = model.objects["Item"]?[item.key]?["sub"], random.oneIn(2) {
      return [set(item, "sub", link, [.name("who")])]
    }
    guard case .list(let subs)? = model.objects["Item"]?[item.key]?["subs"], !subs.isEmpty else { return [] }
    let index = Int.random(in: 0..<subs.count, using: &random)
    return [set(item, "subs", link, [.index(UInt32(index)), .name("who")])]
  }
}
