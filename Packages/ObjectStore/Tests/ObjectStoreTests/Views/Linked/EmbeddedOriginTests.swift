import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Inverse links from embedded objects, which are those of the objects around them.
@Suite("inverse links from embedded objects")
struct EmbeddedOriginTests {
  private typealias Chat = ChatScene

  private static func person(_ key: Int64) -> ObjectReference { ObjectReference(className: "Person", key: .int(key)) }
  private static func city(_ key: Int64) -> ObjectReference { ObjectReference(className: "City", key: .int(key)) }

  /// People with a list of their own, and a home within their estate, in a city, with a keeper.
  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "City", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Person", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Estate", kind: .embedded, primaryKey: nil)),
    .addTable(AddTable(table: "Home", kind: .embedded, primaryKey: nil)),
    LinkedRealm.column("City", "n", .int), LinkedRealm.column("Person", "n", .int),
    LinkedRealm.column("Person", "estate", .link, isNullable: true, to: "Estate"),
    LinkedRealm.column("Estate", "home", .link, isNullable: true, to: "Home"),
    LinkedRealm.column("Home", "street", .string),
    LinkedRealm.column("Home", "city", .link, isNullable: true, to: "City"),
    LinkedRealm.column("Home", "keeper", .link, isNullable: true, to: "Person"),
  ]

  private static func set(_ key: Int64, _ field: String, _ payload: Payload) -> Instruction {
    let path = [PathElement.name("home"), .name(field)]
    return .update(Update(target: Target(object: person(key), field: "estate", path: path), payload: payload))
  }

  /// Two cities, and a person at home in the first one.
  private static func people(_ keys: [Int64]) -> [Instruction] {
    [Chat.create(city(1)), Chat.create(city(2))]
      + keys.flatMap { key -> [Instruction] in
        let home = Target(object: person(key), field: "estate", path: [.name("home")])
        return [
          Chat.create(person(key)), Chat.set(person(key), "estate", .objectValue),
          .update(Update(target: home, payload: .objectValue)), set(key, "city", .link(city(1))),
        ]
      }
  }

  /// A realm with roles where people 1 and 2 are ann's alone, and 3 is everybody's; 2 keeps the home of 1. The user of the
  /// view is ben.
  private func roles(
    _ json: String, followsLinks: Bool, hasLists: Bool = true, people: Privileges = .all
  ) throws -> (network: ViewNetwork, ben: Int, full: Int) {
    var network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      for user in ["ann", "ben"] as [UserId] { try editor.connect(user) }
    }
    let acl = LinkedRealm.column("Person", "acl", .link, .list, to: "__Permission")
    try network.file.commit(Self.schema + (hasLists ? [acl] : []), at: OriginTimestamp(0))
    try network.file.edit { editor in
      try editor.openPermissions(ofClasses: ["City", "Person"])
      try editor.apply([.setClassList("Person", [PermissionEntry(.everyone, people)])])
    }
    let full = try network.add(queries: nil)
    try network.settle()
    var made = Self.people([1, 2, 3]) + [Self.set(1, "keeper", .link(Self.person(2)))]
    if hasLists {
      for (key, role) in [(Int64(1), "__User:ann"), (2, "__User:ann"), (3, "everyone")] {
        made += Chat.grant(UInt64(key), to: role, .all)
        made.append(Chat.append(Chat.entry(UInt64(key)), to: Self.person(key), "acl", of: 0))
      }
    }
    try network.write(full, made)
    try network.settle()
    let ben = try network.add(queries: json, access: ViewAccess(user: "ben", followsLinks: followsLinks))
    return (network, ben, full)
  }

  private func refusal(_ json: String, followsLinks: Bool, hasLists: Bool = true, people: Privileges = .all) throws
    -> String?
  {
    var scene = try roles(json, followsLinks: followsLinks, hasLists: hasLists, people: people)
    do { try scene.network.downloadAll(scene.ben) } catch let refusal as QueryRefusal { return refusal.message }
    return nil
  }

  @Test(
    "are not asked about where the objects around have lists, or may not be read or asked for",
    arguments: [true, false])
  func oracle(followsLinks: Bool) throws {
    let json = #"{"City":"ANY @links.Home.city.street == 'x'"}"#
    let listed = try refusal(json, followsLinks: followsLinks)
    #expect(listed?.contains("asks about objects of class 'Person'") == true)
    let unread = try refusal(json, followsLinks: followsLinks, hasLists: false, people: [.query, .create])
    #expect(unread?.contains("read is not granted on class 'Person'") == true)
    let unasked = try refusal(json, followsLinks: followsLinks, hasLists: false, people: .read)
    #expect(unasked?.contains("query is not granted on class 'Person'") == true)
    #expect(try refusal(json, followsLinks: followsLinks, hasLists: false) == nil)
  }

  @Test("include the objects around that the user may read, and what these lead to", arguments: [true, false])
  func including(followsLinks: Bool) throws {
    let json = #"{"City":"TRUEPREDICATE INCLUDE(@links.Home.city)"}"#
    var (network, ben, full) = try roles(json, followsLinks: followsLinks)
    try network.settle()
    #expect(try network.keys(ben, "City") == [1, 2])
    #expect(try network.keys(ben, "Person") == [3])
    try network.write(ben, [Chat.set(Self.person(3), "n", .int(5))])
    try network.settle()
    #expect(network.clients[ben].refusals.isEmpty)
    #expect(try network.dump(full).objects["Person"]?[.int(3)]?["n"] == .value(.int(5)))
    try network.write(full, [Self.set(3, "city", .null)])
    try network.settle()
    #expect(try network.keys(ben, "Person") == [])
  }

  @Test("a condition over them is asked again when the objects around change", arguments: [true, false])
  func changes(followsLinks: Bool) throws {
    var network = try ViewNetwork(Self.schema + Self.people([1]))
    let json = #"{"City":"@links.Home.city.@count > 0"}"#
    let view = try network.add(queries: json, access: ViewAccess(user: "ann", followsLinks: followsLinks))
    let full = try network.add(queries: nil)
    try network.settle()
    #expect(try network.keys(view, "City") == [1])
    func isTold(of edit: [Instruction]) throws -> Bool {
      _ = try network.server.takeViewAudience()
      try network.write(full, edit)
      try network.upload(full)
      let isTold =
        switch try network.server.takeViewAudience() {
        case .everyone: true
        case .files(let files): files.contains(network.clients[view].ident)
        }
      try network.settle()
      return isTold
    }
    #expect(try isTold(of: [Self.set(1, "city", .link(Self.city(2)))]))
    #expect(try network.keys(view, "City") == [2])
    #expect(try isTold(of: [Chat.erase(Self.person(1))]))
    #expect(try network.keys(view, "City") == [])
  }
}
