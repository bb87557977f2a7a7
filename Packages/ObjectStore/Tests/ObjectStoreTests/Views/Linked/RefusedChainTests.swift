import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("refusals that take the ground from others")
struct RefusedChainTests {
  private static func dog(_ key: Int64) -> ObjectReference { ObjectReference(className: "Dog", key: .int(key)) }
  private static let person = ObjectReference(className: "Person", key: .string("p"))

  /// Dogs of which each is held for its friend, the one before it; the first has none.
  private static func chain(_ count: Int64) -> [Instruction] {
    (0..<count).flatMap { key -> [Instruction] in
      let friends = Target(object: dog(key), field: "friends", path: [.index(0)])
      return [
        .createObject(CreateObject(object: dog(key))),
        .update(Update(target: Target(object: dog(key), field: "age"), payload: .int(9))),
      ]
        + (key == 0
          ? [] : [.arrayInsert(ArrayInsert(target: friends, payload: .link(dog(key - 1)), priorSize: 0))])
    }
  }

  private static func network() throws -> ViewNetwork {
    var network = try ViewNetwork(LinkedRealm.schema)
    _ = try network.add(queries: #"{"Dog":"ANY friends.age > 5","Person":"TRUEPREDICATE"}"#)
    _ = try network.add(queries: nil)
    try network.settle()
    return network
  }

  @Test("after a number of attempts what may depend on others is refused at once, and what decides alone is taken")
  func chain() throws {
    var network = try Self.network()
    let count = 3 * (AdmissionAttempt.exact + AdmissionAttempt.joint)
    try network.write(0, Self.chain(Int64(count)) + [.createObject(CreateObject(object: Self.person))])
    try network.settle()
    let refusals = network.clients[0].refusals
    #expect(Set(refusals.map(\.object)) == Set((0..<Int64(count)).map(Self.dog)))
    #expect(refusals.count == count)
    let oneByOne = refusals.filter { $0.reason.contains("outside of the query view") }
    #expect(oneByOne.count == AdmissionAttempt.exact + AdmissionAttempt.joint)
    for client in [0, 1] {
      #expect(try network.keys(client, "Dog") == [])
      #expect(try network.dump(client).objects["Person"]?.count == 1)
    }
  }

  @Test("in the last attempt nothing is left to be judged")
  func everything() throws {
    let network = try Self.network()
    try network.write(
      0,
      [.addTable(AddTable(table: "New", primaryKey: PrimaryKeyColumn(field: "id", type: .int)))] + Self.chain(2)
        + [.createObject(CreateObject(object: Self.person))])
    let scan = try network.clients[0].history.uploadableEntries(after: .zero)
    let batch = UploadBatch(
      file: network.clients[0].ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries, queries: network.clients[0].wanted)
    var attempt = AdmissionAttempt(batch)
    for _ in 0...AdmissionAttempt.exact + AdmissionAttempt.joint + AdmissionAttempt.alone { attempt.fail(with: [:]) }
    let undone = try network.file.write(isRecorded: false) { session in
      var integration = try ServerIntegration(
        session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
      let undone = try integration.integrate(batch, refused: [:], attempt)
      #expect(integration.late.isEmpty)
      return undone
    }
    let told = ["New[null]", "Dog[0]", "Dog[1]", "Person[\"p\"]"]
    #expect(Set(try #require(undone).objects.map { "\($0)" }).isSuperset(of: told), "\(undone?.objects ?? [])")
    let dump = try network.file.dump()
    #expect(dump.objects["Dog"]?.isEmpty ?? true)
    #expect(dump.objects["Person"]?.isEmpty ?? true)
    #expect(dump.objects["New"] == nil)
  }
}
