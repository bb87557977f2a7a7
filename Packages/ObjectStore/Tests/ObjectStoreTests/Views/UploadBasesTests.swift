import ChangesetOT
import DataModel
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("uploads with many bases")
struct UploadBasesTests {
  private static let dog = ObjectReference(className: "Dog", key: .int(1))
  private static let owner = ObjectReference(className: "Person", key: .string("p"))

  private static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  /// A client that wrote to a dog between changes of others, and has not uploaded any of it.
  private static func network(bases: Int, _ change: (Int64) -> [Instruction]) throws -> ViewNetwork {
    var network = try ViewNetwork(
      LinkedRealm.schema + [
        .createObject(CreateObject(object: dog)), .createObject(CreateObject(object: owner)),
        set(owner, "n", .int(9)), set(dog, "owner", .link(owner)),
      ])
    _ = try network.add(queries: #"{"Dog":"owner.n > 4"}"#)
    _ = try network.add(queries: nil)
    try network.settle()
    for number in 0..<Int64(bases) {
      try network.downloadAll(1)
      try network.write(1, change(number))
      try network.upload(1)
      try network.downloadAll(0)
      try network.write(0, [set(dog, "age", .int(number))])
    }
    return network
  }

  /// Whether something was set back in the author's file, when the client uploads.
  private static func isSetBack(_ network: inout ViewNetwork, bases: Int) throws -> Bool {
    let before = try network.server.state().current.version.rawValue
    try network.upload(0)
    let made = try network.server.state().current.version.rawValue - before
    try network.settle()
    #expect(network.clients[0].refusals == [])
    #expect(try network.dump(1).objects["Dog"]?[dog.key]?["age"] == .value(.int(Int64(bases) - 1)))
    #expect(try network.dump(0).objects["Dog"] == network.dump(1).objects["Dog"])
    #expect(made - UInt64(bases) <= 1)
    return made > UInt64(bases)
  }

  @Test("beyond a number of evaluations an object counts as one that came or went", arguments: [0, 1])
  func evaluations(more: Int) throws {
    let bases = KnownBases.mostEvaluations + more
    var network = try Self.network(bases: bases) { [Self.set(Self.owner, "n", .int(10 + $0))] }
    #expect(try Self.isSetBack(&network, bases: bases) == (more > 0))
  }

  @Test("bases between which nothing is touched that matters are evaluated once")
  func sameContent() throws {
    let bases = KnownBases.mostEvaluations + 4
    var network = try Self.network(bases: bases) {
      [.createObject(CreateObject(object: ObjectReference(className: "City", key: .int($0))))]
    }
    #expect(try !Self.isSetBack(&network, bases: bases))
  }

  @Test("each version is decoded once, however many bases and attempts there are")
  func decoding() throws {
    let bases = 40
    var network = try Self.network(bases: bases) { [Self.set(Self.owner, "n", .int(10 + $0))] }
    let batch = try Self.batch(&network)
    var past = UploadPast()
    for _ in 0..<2 {
      let session = try WriteSession(network.file, isRecorded: false)
      var integration = try ServerIntegration(
        session, incarnation: network.server.incarnation, writeSets: RecentWriteSets(), past: past)
      let steps = session.writer.work.steps
      _ = try integration.integrate(batch)
      #expect(session.writer.work.steps - steps < 4 * bases)
      integration.forgetWhatIsNew()
      past = integration.past
      session.rollback()
    }
  }

  private static func batch(_ network: inout ViewNetwork) throws -> UploadBatch {
    let client = network.clients[0]
    let known = try #require(try network.server.clientFile(client.ident))
    let scan = try client.history.uploadableEntries(after: known.upload)
    return UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries, queries: client.wanted)
  }

  @Test("what is asked of the past is the same in whatever order bases come")
  func order() throws {
    let object = Self.dog
    let log = (1...Int64(20)).map { position in
      let part = VersionInverse.Part(object: object, existed: true, fields: ["age": .whole(.value(.int(position)))])
      return LogEntry(position: position, content: VersionInverse(part).encoded())
    }
    var past = UploadPast()
    var read = 0
    func entries(_ range: ClosedRange<Int64>) -> [LogEntry] {
      read += range.count
      return log.filter { range.contains($0.position) }
    }
    func check(_ range: ClosedRange<Int64>) throws {
      try past.readInverses(of: range, entries)
      let start = ServerVersion(UInt64(range.lowerBound) - 1)
      #expect(
        past.states.touched(object, after: start).map { Int64($0.version.rawValue) } == range.map(\.self))
      let end = ServerVersion(UInt64(range.upperBound))
      #expect(Array(past.inverses(after: start, through: end)).count == range.count)
    }
    for start in [15, 17, 9, 2, 20, 4] { try check(Int64(start)...20) }
    #expect(read == 19)
    past.forget(after: 12)
    #expect(past.states.touched(object, after: ServerVersion(10)).count == 2)
    try check(11...20)
    #expect(read == 19 + 8)
  }
}
