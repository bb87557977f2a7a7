import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("objects that many others may hold")
struct HolderBudgetTests {
  private static func dog(_ key: Int) -> ObjectReference { ObjectReference(className: "Dog", key: .int(Int64(key))) }
  private static func person(_ key: Int) -> ObjectReference {
    ObjectReference(className: "Person", key: .string("p\(key)"))
  }
  private static func create(_ object: ObjectReference) -> Instruction { .createObject(CreateObject(object: object)) }
  private static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  /// Persons with dogs each, and a client that holds the first dog, which has no owner.
  private static func network(persons: Int, dogs: Int) throws -> ViewNetwork {
    let owned = (0..<persons).flatMap { person in
      [create(Self.person(person))]
        + (0..<dogs).flatMap { number -> [Instruction] in
          let dog = dog(2 + person * dogs + number)
          return [create(dog), set(dog, "owner", .link(Self.person(person)))]
        }
    }
    var network = try ViewNetwork(LinkedRealm.schema + [create(dog(1))] + owned)
    _ = try network.add(queries: #"{"Dog":"id == 1"}"#, access: ViewAccess(user: "ann", followsLinks: true))
    try network.downloadAll(0)
    return network
  }

  @Test("when no more objects may be looked at, others count as held, and none is sent that is not")
  func usedUp() throws {
    let persons = 10
    var network = try Self.network(persons: persons, dogs: 50)
    for number in 0..<persons {
      try network.write(0, [Self.create(Self.person(number)), Self.set(Self.person(number), "n", .int(7))])
    }
    try network.write(0, [Self.create(Self.person(77)), Self.set(Self.dog(1), "owner", .link(Self.person(77)))])
    try network.write(0, [Self.set(Self.dog(1), "owner", .null), Self.set(Self.person(77), "n", .int(3))])
    let client = network.clients[0]
    let known = try #require(try network.server.clientFile(client.ident))
    let scan = try client.history.uploadableEntries(after: known.upload)
    let batch = UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries, queries: client.wanted, access: client.access)
    let holders = HolderBudget(100)
    let undone = try network.file.write(isRecorded: false) { session in
      var integration = try ServerIntegration(
        session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
      return try integration.integrate(batch, AdmissionAttempt(holders))
    }
    #expect(holders.isUsedUp)
    #expect(undone?.refusals.map(\.object) == (0..<persons).map(Self.person))
    try network.restart()
    try network.settle()
    #expect(try network.file.dump().objects["Person"]?.count == persons + 1)
    #expect(try network.file.dump().objects["Person"]?[Self.person(0).key]?["n"] == .value(.int(0)))
    #expect(try network.dump(0).objects["Person"]?.isEmpty ?? true)
    #expect(try network.keys(0, "Dog") == [1])
  }
}
