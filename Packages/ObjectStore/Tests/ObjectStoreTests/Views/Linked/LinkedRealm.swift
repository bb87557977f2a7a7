import ChangesetOT
import DataModel
import TestKit

@testable import RecordStore

/// The classes of ``LinkedViewWorld``, with links of every kind and cycles, the queries over them, and random edits.
struct LinkedRealm {
  /// Distinguishes what is written.
  private var fresh: Int64 = 0

  static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Person", primaryKey: PrimaryKeyColumn(field: "id", type: .string))),
    .addTable(AddTable(table: "City", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Home", kind: .embedded, primaryKey: nil)),
    column("Dog", "age", .int), column("Dog", "name", .string, isNullable: true),
    column("Dog", "owner", .link, isNullable: true, to: "Person"),
    column("Dog", "friends", .link, .list, to: "Dog"),
    column("Person", "n", .int), column("Person", "dogs", .link, .list, to: "Dog"),
    column("Person", "pals", .link, .set, to: "Person"),
    column("Person", "places", .link, .dictionary, isNullable: true, to: "City"),
    column("Person", "thing", nil, isNullable: true),
    column("Person", "home", .link, isNullable: true, to: "Home"),
    column("Person", "homes", .link, .list, to: "Home"),
    column("City", "n", .int), column("City", "name", .string, isNullable: true),
    column("City", "mayor", .link, isNullable: true, to: "Person"),
    column("Home", "street", .string), column("Home", "city", .link, isNullable: true, to: "City"),
  ]

  static func column(
    _ table: String, _ field: String, _ type: PayloadType?, _ collection: CollectionKind = .single,
    isNullable: Bool = false, to target: String? = nil
  ) -> Instruction {
    .addColumn(
      AddColumn(
        table: table, field: field, type: type, isNullable: isNullable, collection: collection, linkTarget: target))
  }

  private static let parts: [String: SelectionParts] = [
    "Dog": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "age > 4", "age < 3", "name == nil", "owner == nil", "owner.n > 4", "owner.home.city.n > 3",
        "ANY friends.age > 5", "NONE friends.age > 5", "ALL friends.age > 2", "friends.@count > 1",
        "friends.@sum.age > 6", "friends.@max.age > 4", "friends.owner.n > 3", "@links.@count > 1",
        "@links.Person.dogs.@count > 0", "@links.Person.dogs.n > 4", "ANY @links.Dog.friends.age > 3",
        "SUBQUERY(friends, $f, $f.owner.n > 2).@count > 0", "owner.thing.@type == 'link'",
      ], paths: ["age", "name", "owner.n"], includes: [("Person", "dogs"), ("Dog", "friends")]),
    "Person": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "n > 4", "n < 3", "dogs.@count > 0", "ANY dogs.age > 5", "NONE dogs.age > 3",
        "pals.@count > 0", "ANY pals.n > 4", "places['a'].n > 3", "places.@count > 1", "ANY places.n > 4",
        "thing.@type == 'link'", "thing == nil", "home == nil", "home.city.n > 3", "home.city == nil",
        "ANY homes.city.n > 4", "homes.@count > 0", "dogs.@avg.age > 4", "@links.@count == 0",
        "@links.City.mayor.@count > 0", "@links.Dog.owner.age > 3",
      ], paths: ["n"], includes: [("Dog", "owner"), ("City", "mayor"), ("Person", "pals")]),
    "City": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "n > 4", "mayor.n > 3", "mayor == nil", "@links.@count > 0", "@links.Home.city.@count > 0",
        "@links.Person.places.@count > 0", "ANY mayor.dogs.age > 3", "name == nil",
      ], paths: ["n", "name", "mayor.n"]),
  ]

  /// Queries for some of the classes; for some of these several.
  static func selections(_ random: inout SeededGenerator) -> [ViewSelection] {
    parts.sorted { $0.key < $1.key }.flatMap { name, parts -> [ViewSelection] in
      if random.oneIn(3) { return [] }
      return (0..<(random.oneIn(4) ? 2 : 1)).map { _ in parts.selection(of: name, &random) }
    }
  }

  // MARK: Edits

  private static func dog(_ random: inout SeededGenerator) -> ObjectReference {
    ObjectReference(className: "Dog", key: .int(Int64.random(in: 1...6, using: &random)))
  }

  private static func person(_ random: inout SeededGenerator) -> ObjectReference {
    ObjectReference(className: "Person", key: .string("p\(Int.random(in: 1...5, using: &random))"))
  }

  private static func city(_ random: inout SeededGenerator) -> ObjectReference {
    ObjectReference(className: "City", key: .int(Int64.random(in: 1...4, using: &random)))
  }

  private static func anyObject(_ random: inout SeededGenerator) -> ObjectReference {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: dog(&random)
    case 1: person(&random)
    default: city(&random)
    }
  }

  private static func set(
    _ object: ObjectReference, _ field: String, _ payload: Payload, _ path: [PathElement] = []
  ) -> Instruction {
    .update(Update(target: Target(object: object, field: field, path: path), payload: payload))
  }

  /// One random edit of an object as a file has it: made, erased or changed.
  mutating func edit(_ dump: StateDump, _ random: inout SeededGenerator) -> [Instruction] {
    fresh += 1
    let object = Self.anyObject(&random)
    // A file without the schema yet has nothing to edit.
    guard let objects = dump.objects[object.className] else { return [] }
    guard let fields = objects[object.key] else {
      var made: [Instruction] = [.createObject(CreateObject(object: object))]
      made.append(
        Self.set(object, object.className == "Dog" ? "age" : "n", .int(Int64.random(in: 0...9, using: &random))))
      if random.oneIn(2) { made += link(object, [:], &random) }
      return made
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return [.eraseObject(EraseObject(object: object))]
    case 1:
      return [.eraseObject(EraseObject(object: object)), .createObject(CreateObject(object: object))]
        + link(object, [:], &random)
    case 2..<5:
      return [
        Self.set(object, object.className == "Dog" ? "age" : "n", .int(Int64.random(in: 0...9, using: &random)))
      ]
    case 5 where object.className != "Person":
      return [Self.set(object, "name", random.oneIn(2) ? .null : .string("x\(fresh % 3)"))]
    default: return link(object, fields, &random)
    }
  }

  /// A change of what an object links to.
  private func link(
    _ object: ObjectReference, _ fields: [String: StateDump.Item], _ random: inout SeededGenerator
  ) -> [Instruction] {
    let isNull = random.oneIn(4)
    switch (object.className, Int.random(in: 0..<7, using: &random)) {
    case ("Dog", 0..<3): return [Self.set(object, "owner", isNull ? .null : .link(Self.person(&random)))]
    case ("Dog", _): return list(object, "friends", fields, .link(Self.dog(&random)), &random)
    case ("City", _): return [Self.set(object, "mayor", isNull ? .null : .link(Self.person(&random)))]
    case (_, 0..<2): return list(object, "dogs", fields, .link(Self.dog(&random)), &random)
    case (_, 2):
      let pal = Self.person(&random)
      let target = Target(object: object, field: "pals")
      if case .set(let pals)? = fields["pals"], pals.contains(.link(pal)) {
        return [.setErase(SetErase(target: target, payload: .link(pal)))]
      }
      return [.setInsert(SetInsert(target: target, payload: .link(pal)))]
    case (_, 3):
      return [
        Self.set(object, "places", isNull ? .erased : .link(Self.city(&random)), [.name(random.oneIn(2) ? "a" : "b")])
      ]
    case (_, 4): return thing(object, &random)
    case (_, 5): return home(object, fields, &random)
    default:
      guard case .list(let homes)? = fields["homes"], !homes.isEmpty, random.oneIn(2) else {
        return list(object, "homes", fields, .objectValue, &random)
      }
      let index = PathElement.index(UInt32(Int.random(in: 0..<homes.count, using: &random)))
      return [Self.set(object, "homes", isNull ? .null : .link(Self.city(&random)), [index, .name("city")])]
    }
  }

  private func home(
    _ object: ObjectReference, _ fields: [String: StateDump.Item], _ random: inout SeededGenerator
  ) -> [Instruction] {
    let city = Self.set(object, "home", .link(Self.city(&random)), [.name("city")])
    guard case .embedded? = fields["home"] else {
      return [Self.set(object, "home", .objectValue), city]
    }
    return random.oneIn(3) ? [Self.set(object, "home", .null)] : [city]
  }

  /// A mixed value: a number, a link, or a link deep inside.
  private func thing(_ object: ObjectReference, _ random: inout SeededGenerator) -> [Instruction] {
    let link = Payload.link(Self.anyObject(&random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return [Self.set(object, "thing", .int(fresh % 5))]
    case 1, 2: return [Self.set(object, "thing", link)]
    default:
      let place = Target(object: object, field: "thing", path: [.index(0)])
      return [
        Self.set(object, "thing", .null), Self.set(object, "thing", .list),
        .arrayInsert(ArrayInsert(target: place, payload: link, priorSize: 0)),
      ]
    }
  }

  private func list(
    _ object: ObjectReference, _ field: String, _ fields: [String: StateDump.Item], _ element: Payload,
    _ random: inout SeededGenerator
  ) -> [Instruction] {
    var count = 0
    if case .list(let items)? = fields[field] { count = items.count }
    func place(_ index: Int) -> Target { Target(object: object, field: field, path: [.index(UInt32(index))]) }
    if count > 0, random.oneIn(3) {
      let index = Int.random(in: 0..<count, using: &random)
      return [.arrayErase(ArrayErase(target: place(index), priorSize: UInt32(count)))]
    }
    let index = Int.random(in: 0...count, using: &random)
    return [.arrayInsert(ArrayInsert(target: place(index), payload: element, priorSize: UInt32(count)))]
  }
}
