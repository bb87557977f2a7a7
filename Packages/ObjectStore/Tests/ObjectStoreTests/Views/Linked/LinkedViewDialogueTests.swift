import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("views over links")
struct LinkedViewDialogueTests {
  private static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }
  private static func person(_ key: String) -> ObjectReference {
    ObjectReference(className: "Person", key: .string(key))
  }

  private static func create(_ object: ObjectReference) -> Instruction { .createObject(CreateObject(object: object)) }
  private static func erase(_ object: ObjectReference) -> Instruction { .eraseObject(EraseObject(object: object)) }
  private static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  private func network(_ edits: [Instruction], _ queries: String, followsLinks: Bool) throws -> ViewNetwork {
    var network = try ViewNetwork(LinkedRealm.schema + edits)
    _ = try network.add(queries: queries, access: ViewAccess(user: "ann", followsLinks: followsLinks))
    _ = try network.add(queries: nil)
    for number in network.clients.indices { try network.downloadAll(number) }
    return network
  }

  @Test("an object enters that is made after something held linked to it")
  func madeAfterItsLink() throws {
    var network = try network(
      [Self.create(Self.dog(1)), Self.set(Self.dog(1), "owner", .link(Self.person("p")))], #"{"Dog":"id == 1"}"#,
      followsLinks: true)
    try network.write(1, [Self.create(Self.person("p"))])
    try network.settle()
    #expect(try network.dump(0).objects["Person"]?.keys.contains(.string("p")) == true)
  }

  @Test("an object that its author made, linked to and let go within one upload leaves the author's file")
  func madeAndLetGo() throws {
    var network = try network([Self.create(Self.dog(1))], #"{"Dog":"id == 1"}"#, followsLinks: true)
    try network.write(
      0, [Self.create(Self.person("p")), Self.set(Self.dog(1), "owner", .link(Self.person("p")))])
    try network.write(0, [Self.set(Self.dog(1), "owner", .null)])
    try network.settle()
    #expect(try network.keys(0, "Dog") == [1])
    #expect(try network.dump(1).objects["Person"]?.count == 1)
    #expect(try network.dump(0).objects["Person"]?.isEmpty ?? true)
  }

  @Test("what an earlier transaction of an upload let go is outside of the view, as in an upload of its own")
  func letGoBefore() throws {
    for isOneUpload in [true, false] {
      var network = try network(
        [
          Self.create(Self.person("p")), Self.create(Self.dog(1)),
          Self.set(Self.dog(1), "owner", .link(Self.person("p"))),
        ], #"{"Dog":"id == 1"}"#, followsLinks: true)
      try network.write(0, [Self.set(Self.dog(1), "owner", .null)])
      if !isOneUpload { try network.upload(0) }
      try network.write(0, [Self.set(Self.person("p"), "n", .int(5))])
      try network.upload(0)
      #expect(network.clients[0].refusals.map(\.object) == [Self.person("p")])
      try network.settle()
      #expect(try network.dump(1).objects["Person"]?[.string("p")]?["n"] == .value(.int(0)))
      #expect(try network.dump(0).objects["Person"]?.isEmpty ?? true)
    }
  }

  @Test("an object that its author made, and made anew, leaves the author's file when others take it out of the view")
  func madeAnewAndTakenOut() throws {
    var network = try network([], #"{"Dog":"age == 1"}"#, followsLinks: true)
    let made = [Self.create(Self.dog(1)), Self.set(Self.dog(1), "age", .int(1))]
    try network.write(0, made)
    try network.write(0, [Self.erase(Self.dog(1))] + made)
    try network.upload(0)
    try network.downloadAll(1)
    try network.write(1, [Self.set(Self.dog(1), "age", .int(5))])
    try network.upload(1)
    try network.settle()
    #expect(try network.keys(1, "Dog") == [1])
    #expect(try network.keys(0, "Dog") == [])
  }

  @Test("a condition over a link is asked again when what it leads to is made or erased")
  func targets() throws {
    var network = try network(
      [Self.create(Self.dog(1)), Self.set(Self.dog(1), "owner", .link(Self.person("p")))], #"{"Dog":"owner == nil"}"#,
      followsLinks: false)
    #expect(try network.keys(0, "Dog") == [1])
    try network.write(1, [Self.create(Self.person("p"))])
    try network.settle()
    #expect(try network.keys(0, "Dog") == [])
    try network.write(1, [Self.erase(Self.person("p"))])
    try network.settle()
    #expect(try network.keys(0, "Dog") == [1])
  }

  @Test(
    "a condition on a mixed value is asked again when what it links to is made or erased", arguments: [true, false])
  func mixedTargets(followsLinks: Bool) throws {
    let holder = Self.person("q")
    var network = try network(
      [Self.create(holder), Self.set(holder, "thing", .link(Self.dog(7)))], #"{"Person":"thing != nil"}"#,
      followsLinks: followsLinks)
    func holds() throws -> Bool { try network.dump(0).objects["Person"]?.keys.contains(holder.key) ?? false }
    #expect(try !holds())
    try network.write(1, [Self.create(Self.dog(7))])
    try network.settle()
    #expect(try holds())
    try network.write(1, [Self.erase(Self.dog(7))])
    try network.settle()
    #expect(try !holds())
  }

  @Test("INCLUDE brings in who links by its property, and by no other", arguments: [true, false])
  func includedByAnotherProperty(followsLinks: Bool) throws {
    let holder = Self.person("p")
    var network = try network(
      [Self.create(Self.dog(1)), Self.create(holder), Self.set(holder, "thing", .link(Self.dog(1)))],
      #"{"Dog":"TRUEPREDICATE INCLUDE(@links.Person.dogs)"}"#, followsLinks: followsLinks)
    func holds() throws -> Bool { try network.dump(0).objects["Person"]?.keys.contains(holder.key) ?? false }
    // Looked at alone, as it was changed.
    try network.write(1, [Self.set(holder, "n", .int(1))])
    try network.settle()
    #expect(try !holds())
    // A device that guesses the key may not write there.
    try network.write(0, [Self.create(holder), Self.set(holder, "n", .int(7))])
    try network.upload(0)
    #expect(network.clients[0].refusals.map(\.object) == [holder])
    let dogs = Target(object: holder, field: "dogs", path: [.index(0)])
    try network.write(1, [.arrayInsert(ArrayInsert(target: dogs, payload: .link(Self.dog(1)), priorSize: 0))])
    try network.settle()
    #expect(try holds())
    try network.write(0, [Self.set(holder, "n", .int(9))])
    try network.settle()
    #expect(try network.dump(1).objects["Person"]?[holder.key]?["n"] == .value(.int(9)))
  }
}
