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

  /// The changes that a client has not uploaded.
  private static func batch(of number: Int, _ network: ViewNetwork) throws -> UploadBatch {
    let client = network.clients[number]
    let known = try #require(try network.server.clientFile(client.ident))
    let scan = try client.history.uploadableEntries(after: known.upload)
    return UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries, queries: client.wanted, access: client.access)
  }

  /// Uploads what the first client wrote, in one attempt.
  private static func integrate(_ network: ViewNetwork, _ attempt: AdmissionAttempt) throws -> UndoneUpload? {
    let batch = try batch(of: 0, network)
    return try network.file.write(isRecorded: false) { session in
      var integration = try ServerIntegration(
        session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
      return try integration.integrate(batch, attempt)
    }
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
    let holders = HolderBudget(100)
    let undone = try Self.integrate(network, AdmissionAttempt(holders))
    #expect(holders.isUsedUp)
    #expect(undone?.refusals.map(\.object) == (0..<persons).map(Self.person))
    try network.restart()
    try network.settle()
    #expect(try network.file.dump().objects["Person"]?.count == persons + 1)
    #expect(try network.file.dump().objects["Person"]?[Self.person(0).key]?["n"] == .value(.int(0)))
    #expect(try network.dump(0).objects["Person"]?.isEmpty ?? true)
    #expect(try network.keys(0, "Dog") == [1])
  }

  /// Dogs with one owner, of which the first one includes the others.
  private static func included(_ count: Int) throws -> ViewNetwork {
    let dogs = (1...count).flatMap { [create(dog($0)), set(dog($0), "owner", .link(person(0)))] }
    var network = try ViewNetwork(LinkedRealm.schema + [create(person(0))] + dogs)
    _ = try network.add(
      queries: #"{"Dog":"id == 1 INCLUDE(owner.@links.Dog.owner)"}"#, access: ViewAccess(user: "ann"))
    try network.downloadAll(0)
    return network
  }

  @Test("the objects that INCLUDE leads over backwards count, and what cannot be found then is taken")
  func includedBackwards() throws {
    let count = 50
    var network = try Self.included(count)
    for number in 2...count { try network.write(0, [Self.set(Self.dog(number), "age", .int(7))]) }
    let holders = HolderBudget(2_000)
    #expect(try Self.integrate(network, AdmissionAttempt(holders)) == nil)
    #expect(holders.isUsedUp)
    try network.restart()
    try network.settle()
    for number in 2...count {
      for dump in [try network.file.dump(), try network.dump(0)] {
        #expect(dump.objects["Dog"]?[Self.dog(number).key]?["age"] == .value(.int(7)))
      }
    }
  }

  @Test("attempts at the upload of one client take nothing from another, which is set back for nothing")
  func othersAttempts() throws {
    var network = try Self.included(20)
    let other = try network.add(queries: #"{"Dog":"ANY friends.age > 5"}"#, access: ViewAccess(user: "ben"))
    try network.settle()
    try network.write(0, [Self.set(Self.dog(2), "age", .int(7))])
    // Each is held for the one before it, the first for nobody: one is refused in each attempt.
    try network.write(
      other,
      (100..<112).flatMap { key -> [Instruction] in
        let made = [Self.create(Self.dog(key)), Self.set(Self.dog(key), "age", .int(9))]
        return made + (key == 100 ? [] : [ChatScene.append(Self.dog(key - 1), to: Self.dog(key), "friends", of: 0)])
      })
    try network.file.commit([Self.create(Self.person(9))], at: OriginTimestamp(1))
    let batches = [try Self.batch(of: 0, network), try Self.batch(of: other, network)]
    let before = try network.file.latestReadView().reader.version.rawValue
    let outcomes = try network.server.integrate(batches) { _ in AdmissionAttempt(HolderBudget(400)) }
    #expect(outcomes.count == 2)
    // The first batch is committed before the attempts at the second one.
    #expect(try network.file.latestReadView().reader.version.rawValue == before + 2)
    var sent: [Instruction] = []
    network.watch = { _, entries in
      for entry in entries {
        sent += try Changeset(
          decoding: Array(entry.changeset), origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
        ).instructions
      }
    }
    try network.downloadAll(0)
    #expect(sent == [])
    #expect(try network.dump(0).objects["Dog"]?[Self.dog(2).key]?["age"] == .value(.int(7)))
  }

  @Test("objects that lost a link are looked for as long as the queries would take", arguments: [nil, 100])
  func lostLinks(budget: Int?) throws {
    let (held, holders) = (30, 30)
    func befriend(_ dog: Int, _ friends: [Int]) -> [Instruction] {
      friends.enumerated().map { ChatScene.append(Self.dog($1), to: Self.dog(dog), "friends", of: UInt32($0)) }
    }
    // The friends of the dog that is selected are those of another one too, whom many others have for a friend.
    let friends = (0..<held).map { 100 + $0 }, others = (0..<holders).map { 200 + $0 }
    let network = try ViewNetwork(
      LinkedRealm.schema + ([1, 2] + friends + others).map { Self.create(Self.dog($0)) } + befriend(1, friends)
        + befriend(2, friends) + others.flatMap { befriend($0, [2]) })
    let set = QuerySet(json: #"{"Dog":"id == 1"}"#)
    func queries(_ readView: ReadView) throws -> RealmQueries {
      try RealmQueries(set, readView, permissions: nil, followsLinks: true, withholding: [])
    }
    let before = try network.file.latestReadView()
    let content = try queries(before).content(in: ReadViewQuerySource(before), of: ["Dog"])
    #expect(content.count == held + 1)
    let clear = Instruction.clear(Clear(target: Target(object: Self.dog(1), field: "friends"), collection: .list))
    let inverse = try VersionInverse(of: [clear], in: before)
    try network.file.commit([clear], at: OriginTimestamp(1))
    let after = try network.file.latestReadView()
    var update = ContentUpdate(
      content, try queries(after), ReadViewQuerySource(after), budget.map { HolderBudget($0) })
    #expect(try update.run([(Self.dog(1), inverse.parts)]) == (budget == nil))
    guard budget == nil else { return }
    #expect(update.left.count == held)
    #expect(update.content.count == 1)
  }

  @Test("an object that is made anew, and to which more objects link than are looked at, comes to nobody for that")
  func madeAnew() throws {
    var network = try Self.network(persons: 1, dogs: 10_001)
    let full = try network.add(queries: nil)
    try network.downloadAll(full)
    try network.write(full, [.eraseObject(EraseObject(object: Self.person(0)))])
    try network.upload(full)
    try network.downloadAll(0)
    try network.write(full, [Self.create(Self.person(0)), Self.set(Self.person(0), "n", .int(1))])
    try network.upload(full)
    try network.downloadAll(0)
    #expect(try network.dump(0).objects["Person"]?.isEmpty ?? true)
    #expect(try network.keys(0, "Dog") == [1])
  }
}
