public import TestKit

/// Random worlds and deeds, small enough that every rule decides often.
public struct WorldMaker {
  /// The users of every world.
  public static let users = ["ann", "ben", "root"]
  /// Its roles.
  public static let roles = ["everyone", "editors", "__User:ann", "__User:ben"]
  /// Its classes.
  public static let classes = ["Dog", "__Realm", "__Class", "__Role", "__User", "__Permission"]

  /// The source of every choice.
  public var random: SeededGenerator

  /// A maker that draws from a generator.
  public init(random: SeededGenerator) { self.random = random }

  /// True in one of `count` cases.
  public mutating func once(in count: UInt64) -> Bool { random.next() >> 33 % count == 0 }

  /// One of some elements.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(random.next() >> 33) % elements.count]
  }

  /// A realm with users, roles and lists.
  public mutating func world() -> World {
    var world = World(users: Self.users)
    for role in Self.roles {
      world.members[role] = Set(Self.users.filter { role == "__User:\($0)" || once(in: role == "everyone" ? 1 : 3) })
    }
    if once(in: 4) { world.members["everyone"]?.remove(pick(Self.users)) }
    if once(in: 2) { world.administrators = ["root"] }
    if once(in: 3) { world.tokens[pick(Self.users)] = rights() }
    world.realmList = once(in: 20) ? nil : list(generous: true)
    for name in Self.classes {
      world.classLists[name] = once(in: name.hasPrefix("__") ? 2 : 4) ? nil : list(generous: true)
    }
    return world
  }

  /// Each right in most cases; a quarter of the sets has all.
  public mutating func rights() -> Set<Right> {
    if once(in: 4) { return Set(Right.allCases) }
    let mask = random.next() | random.next() | random.next()
    return Set(Right.allCases.filter { mask >> UInt64($0.rawValue + 20) & 1 != 0 })
  }

  /// A list, at times empty; a generous one mostly has an entry of everyone.
  public mutating func list(generous: Bool) -> [Line] {
    if once(in: 12) { return [] }
    var lines = (0...(once(in: 2) ? 1 : 0)).map { _ in Line(role: pick(Self.roles), rights: rights()) }
    if generous, !once(in: 4) { lines.append(Line(role: "everyone", rights: rights())) }
    return lines
  }

  /// An object that a deed may be done to.
  public mutating func thing() -> Thing {
    Thing(
      className: once(in: 8) ? pick(Self.classes) : "Dog", list: once(in: 4) ? nil : list(generous: false),
      isNew: once(in: 6))
  }

  /// A list that differs from the old one in one line, or in all.
  public mutating func relist(_ old: [Line]?) -> [Line]? {
    if once(in: 10) { return nil }
    guard var lines = old, !once(in: 4) else { return list(generous: false) }
    if once(in: 2), !lines.isEmpty { lines.remove(at: Int(random.next() >> 33) % lines.count) }
    if !once(in: 3) { lines.append(Line(role: pick(Self.roles), rights: rights().intersection(rights()))) }
    return lines
  }

  /// The lists that a permission object stands in.
  public mutating func places() -> [Place] {
    (0..<(once(in: 3) ? 0 : once(in: 2) ? 2 : 1)).map { _ in
      if once(in: 4) { return .realm }
      return once(in: 3) ? .class(pick(Self.classes)) : .thing(thing())
    }
  }

  /// One deed of each kind.
  public mutating func deeds(in world: World) -> [Deed] {
    let name = once(in: 3) ? pick(Self.classes) : "Dog"
    let changed = thing()
    return [
      .read(thing()), .subscribe(name), .create(name), .update(thing()), .relist(changed, relist(changed.list)),
      .delete(thing()), .relistRealm(relist(world.realmList)), .relistClass(name, relist(world.classLists[name])),
      .changePermission(Line(role: pick(Self.roles), rights: rights()), isNew: once(in: 3), places()),
      .deletePermission(isNew: once(in: 3), places()), .changeMembers(isNew: once(in: 3)), .addClass,
      .addProperty(name),
    ]
  }
}
