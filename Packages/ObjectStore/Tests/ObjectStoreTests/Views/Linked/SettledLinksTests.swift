import ChangesetOT
import DataModel
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("links to objects that come and go in one upload")
struct SettledLinksTests {
  private static let owner = ObjectReference(className: "Person", key: .string("p"))

  /// Dogs with one owner, a client with a view, and one with everything that erases the owner and makes them anew, in turn.
  private static func network(dogs: Int, changesets: Int) throws -> (ViewNetwork, UploadBatch) {
    let made = (0..<Int64(dogs)).flatMap { key -> [Instruction] in
      let dog = ObjectReference(className: "Dog", key: .int(key))
      return [ChatScene.create(dog), ChatScene.set(dog, "owner", .link(owner))]
    }
    var network = try ViewNetwork(LinkedRealm.schema + [ChatScene.create(owner)] + made)
    _ = try network.add(queries: #"{"Dog":"id == 1"}"#)
    let full = try network.add(queries: nil)
    try network.settle()
    for number in 0..<changesets {
      try network.write(full, [number % 2 == 0 ? ChatScene.erase(owner) : ChatScene.create(owner)])
    }
    let client = network.clients[full]
    let known = try #require(try network.server.clientFile(client.ident))
    let scan = try client.history.uploadableEntries(after: known.upload)
    let batch = UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries)
    return (network, batch)
  }

  @Test("are charged for where views need them settled after each changeset")
  func charged() throws {
    let (dogs, changesets) = (200, 20)
    let (network, batch) = try Self.network(dogs: dogs, changesets: changesets)
    let session = try WriteSession(network.file, isRecorded: false)
    defer { session.rollback() }
    var integration = try ServerIntegration(
      session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
    _ = try integration.integrate(batch)
    // Once it is free.
    #expect(session.writer.work.charged >= (changesets - 1) * dogs)
    #expect(session.writer.work.charged < (changesets + 1) * dogs)
  }

  @Test("are paid for by the upload that left them, not by the next one of the transaction")
  func ofOthers() throws {
    let dogs = 200
    let (network, batch) = try Self.network(dogs: dogs, changesets: 2)
    var parts = [batch, batch]
    parts[0].entries = Array(batch.entries.prefix(1))
    parts[0].progress.client = try #require(parts[0].entries.first).cursor.client
    let session = try WriteSession(network.file, isRecorded: false)
    defer { session.rollback() }
    var integration = try ServerIntegration(
      session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
    _ = try integration.integrate(parts[0])
    #expect(!session.writer.hasUnsettledLinks)
    let before = session.writer.work.steps
    _ = try integration.integrate(parts[1])
    // Its own changeset alone.
    #expect(session.writer.work.charged >= dogs)
    #expect(session.writer.work.steps - before < 2 * dogs)
  }

  @Test("beyond the budget the changeset is a bad one, and nobody else's")
  func exceeded() throws {
    let (network, _) = try Self.network(dogs: 200, changesets: 0)
    let session = try WriteSession(network.file, isRecorded: false)
    defer { session.rollback() }
    var integration = try ServerIntegration(
      session, incarnation: network.server.incarnation, writeSets: RecentWriteSets())
    session.writer.work.allow(bytes: 0)
    try session.writer.work.charge(WorkMeter.base - 10)
    var changeset = Changeset(origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server))
    changeset.instructions = [ChatScene.erase(Self.owner)]
    try ChangesetApplier(writer: session.writer).apply(changeset, at: 0)
    try integration.settleLinks(at: 0)
    changeset.instructions = [ChatScene.create(Self.owner)]
    try ChangesetApplier(writer: session.writer).apply(changeset, at: 1)
    let error = #expect(throws: BadChangesetError.self) { try integration.settleLinks(at: 3) }
    #expect(error?.refusal == .workExceeded)
    #expect(error?.changeset == 3)
  }
}
