import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("subscription sets that do not fit the classes")
struct UnfitSetTests {
  private static func object(_ className: String, _ key: Int64) -> ObjectReference {
    ObjectReference(className: className, key: .int(key))
  }

  private static func table(_ name: String) -> [Instruction] {
    [
      .addTable(AddTable(table: name, primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
      .addColumn(AddColumn(table: name, field: "age", type: .int)),
    ]
  }

  private static let colour = Instruction.addColumn(
    AddColumn(table: "Dog", field: "colour", type: .string, isNullable: true))

  private static func create(_ className: String, _ key: Int64, age: Int64) -> [Instruction] {
    [.createObject(CreateObject(object: object(className, key))), set(className, key, "age", .int(age))]
  }

  private static func set(_ className: String, _ key: Int64, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object(className, key), field: field), payload: payload))
  }

  private static let unfit = #"{"Cat":"age > 3","Dog":"colour == NULL"}"#

  /// A realm with cats, a client that subscribed to cats and, before there were dogs, to a property that these do not have, and a
  /// client with everything.
  private struct Scene {
    var network: ViewNetwork
    let view = 0
    let full = 1

    init(followsLinks: Bool = false, hasDogs: Bool = true) throws {
      network = try ViewNetwork(UnfitSetTests.table("Cat") + UnfitSetTests.create("Cat", 5, age: 5))
      _ = try network.add(
        queries: UnfitSetTests.unfit, access: followsLinks ? ViewAccess(user: "ann", followsLinks: true) : nil)
      _ = try network.add(queries: nil)
      try network.settle()
      guard hasDogs else { return }
      try network.write(full, UnfitSetTests.table("Dog") + UnfitSetTests.create("Dog", 1, age: 1))
      try network.settle()
    }

    mutating func add(_ className: String, _ key: Int64) throws {
      try network.write(full, UnfitSetTests.create(className, key, age: 9))
      try network.settle()
    }
  }

  @Test("what fits of a set is served when a class comes that it does not fit", arguments: [false, true])
  func servesTheRest(followsLinks: Bool) throws {
    var scene = try Scene(followsLinks: followsLinks)
    try scene.add("Cat", 7)
    try scene.network.restart()
    try scene.add("Cat", 8)
    #expect(try scene.network.keys(scene.view, "Cat") == [5, 7, 8])
    #expect(try scene.network.keys(scene.view, "Dog") == [])
  }

  @Test("uploads under a set that does not fit arrive, but for the objects of the class that it does not fit")
  func uploads() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, Self.create("Cat", 7, age: 7) + Self.create("Dog", 2, age: 2))
    try scene.network.settle()
    #expect(scene.network.clients[scene.view].refusals.map(\.object) == [Self.object("Dog", 2)])
    #expect(try scene.network.keys(scene.full, "Cat") == [5, 7])
    #expect(try scene.network.keys(scene.full, "Dog") == [1])
    #expect(try scene.network.keys(scene.view, "Dog") == [])
  }

  @Test("a client may bring the class itself that its set does not fit")
  func bringsTheClass() throws {
    var scene = try Scene(hasDogs: false)
    try scene.network.write(
      scene.view, Self.table("Dog") + Self.create("Dog", 2, age: 2) + Self.create("Cat", 7, age: 7))
    try scene.network.settle()
    #expect(scene.network.clients[scene.view].refusals.map(\.object) == [Self.object("Dog", 2)])
    #expect(try scene.network.keys(scene.full, "Cat") == [5, 7])
    #expect(try scene.network.keys(scene.view, "Dog") == [])
  }

  @Test("the next set has its turn behind one that does not fit")
  func nextSet() throws {
    var scene = try Scene()
    try scene.network.subscribe(scene.view, #"{"Cat":"age > 3","Dog":"age < 3"}"#)
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [1])
    try scene.add("Cat", 7)
    #expect(try scene.network.keys(scene.view, "Cat") == [5, 7])
  }

  @Test("a new set that does not fit is refused with the class and the place, and the set before stays")
  func newSet() throws {
    var scene = try Scene()
    try scene.network.subscribe(scene.view, #"{"Cat":"colour == NULL"}"#)
    let refusal = try #require(throws: QueryRefusal.self) { try scene.network.download(scene.view) }
    #expect(refusal.message.contains("class 'Cat'"))
    #expect(refusal.message.contains("colour"))
    try scene.network.withdraw(scene.view)
    try scene.add("Cat", 7)
    #expect(try scene.network.keys(scene.view, "Cat") == [5, 7])
  }

  @Test(
    "the objects of a class come when the property comes that the set names", arguments: [false, true], [false, true])
  func comesToFit(followsLinks: Bool, restarts: Bool) throws {
    var scene = try Scene(followsLinks: followsLinks)
    if restarts { try scene.network.restart() }
    try scene.network.write(
      scene.full, [Self.colour] + Self.create("Dog", 2, age: 2) + [Self.set("Dog", 2, "colour", .string("red"))])
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [1])
    try scene.network.write(
      scene.full, [Self.set("Dog", 1, "colour", .string("red")), Self.set("Dog", 2, "colour", .null)])
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [2])
    try scene.network.write(scene.view, Self.create("Dog", 3, age: 3))
    try scene.network.settle()
    #expect(scene.network.clients[scene.view].refusals.isEmpty)
    #expect(try scene.network.keys(scene.full, "Dog") == [1, 2, 3])
  }

  @Test("a client that brings the property that its set names gets the objects")
  func bringsTheProperty() throws {
    var scene = try Scene()
    try scene.network.write(scene.view, [Self.colour] + Self.create("Dog", 2, age: 2))
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [1, 2])
    #expect(try scene.network.keys(scene.full, "Dog") == [1, 2])
  }

  @Test("a class that came and was completed while the client was away is served from its beginning")
  func completedMeanwhile() throws {
    var scene = try Scene(hasDogs: false)
    try scene.network.write(scene.full, Self.table("Dog") + Self.create("Dog", 1, age: 1))
    try scene.network.write(scene.full, [Self.colour])
    try scene.network.upload(scene.full)
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [1])
  }

  @Test("a set that comes to fit is bootstrapped to another one like any")
  func nextSetWhenItFits() throws {
    var scene = try Scene()
    try scene.network.write(scene.full, [Self.colour] + Self.create("Dog", 2, age: 9))
    try scene.network.upload(scene.full)
    try scene.network.subscribe(scene.view, #"{"Cat":"age > 3","Dog":"age > 3"}"#)
    try scene.network.settle()
    #expect(try scene.network.keys(scene.view, "Dog") == [2])
  }

  @Test("an empty file that holds a set, as after a reset, is filled with what fits")
  func firstScan() throws {
    var scene = try Scene()
    let held = QuerySet(version: QueryVersion(3), json: Self.unfit)
    let number = try scene.network.add(queries: Self.unfit)
    scene.network.clients[number].held = held
    scene.network.clients[number].wanted = held
    try scene.network.settle()
    #expect(try scene.network.keys(number, "Cat") == [5])
    #expect(try scene.network.keys(number, "Dog") == [])
  }

  @Test("explain names the mistake")
  func explains() throws {
    let scene = try Scene(followsLinks: true)
    let question = ViewQuestion(className: "Dog", key: "1", access: ViewAccess(user: "ann"))
    let explanation = try scene.network.server.explain(question)
    #expect(explanation.steps.contains { $0.text.contains("select nothing") && $0.text.contains("colour") })
  }
}
