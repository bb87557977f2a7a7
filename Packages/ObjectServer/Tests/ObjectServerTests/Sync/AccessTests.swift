import ChangesetOT
import ChangesetOTTestSupport
@testable import ObjectServer
import Permissions
import SyncProtocol
import Testing
import Transport

@Suite("access to realms of sync sessions")
struct AccessTests {
  /// Two sessions of one realm: of its owner, and of a user who may read.
  private func ownerAndReader() throws -> (stage: Stage, owner: WireClient, reader: WireClient) {
    let stage = try Stage()
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let path = try Permissions.RealmPath("/ann/todo")
    try stage.directory.setGrant(Grant(path: path, grantee: .user(ben.id), level: .read))
    let (owner, _) = try stage.session(ann.token, "/~/todo")
    let (reader, _) = try stage.session(ben.token, "/ann/todo", from: "tablet")
    return (stage, owner, reader)
  }

  @Test("a reader follows, and a reader's write is refused without harm to others")
  func reader() throws {
    let (stage, owner, reader) = try ownerAndReader()
    owner.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    #expect(reader.take().compactMap(\.download).flatMap(\.entries).count == 1)
    reader.send(
      .upload(
        UploadMessage(
          session: SessionIdent(1), progress: UploadCursor(client: ClientVersion(2), server: ServerVersion(1)),
          lockedServerVersion: ServerVersion(1))))
    stage.run()
    #expect(reader.take().compactMap(\.failureCode) == [], "progress without changes is no write")
    reader.upload(1, version: 3, base: 1, bytes: SyncTests.bytes)
    stage.run()
    let failure = try #require(
      reader.take().compactMap { message -> ErrorDetails? in
        if case .jsonError(let error) = message, error.code.rawValue == 230 { return error.details }
        return nil
      }.first)
    #expect(failure.message.contains("ask its owner"))
    #expect(failure.action == .clientReset)
    #expect(owner.closure == nil)
    #expect(reader.closure == nil)
  }

  @Test("a reader's client may declare its schema, which has no effect on others")
  func readerSchema() throws {
    let (stage, owner, reader) = try ownerAndReader()
    let schema = Changeset(
      instructions: Device.founding, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none))
    reader.upload(1, version: 2, bytes: schema.encoded())
    stage.run()
    #expect(reader.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    #expect(owner.take().compactMap(\.download).flatMap(\.entries).allSatisfy { $0.changeset.isEmpty })
    var state = ModelState()
    try state.apply(Device.founding)
    var generator = EditGenerator(seed: 1, author: FileIdent(9))
    let data = Changeset(instructions: try generator.transaction(on: &state, edits: 200), origin: schema.origin)
    reader.upload(1, version: 3, bytes: data.encoded())
    stage.run()
    #expect(reader.take().compactMap(\.failureCode) == [230])
  }

  @Test("a grant that is withdrawn ends live sessions, and one that is lowered stops writes")
  func liveGrants() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let grant = { (level: String) in
      _ = try stage.send(
        "POST", "/api/openrealm/v1/permissions", bearer: ann.token,
        body: #"{"path":"/~/todo","userId":"ben","access":"\#(level)"}"#)
    }
    try grant("write")
    let (client, file) = try stage.session(ben.token, "/ann/todo")
    client.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    #expect(client.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(2))
    try grant("read")
    client.upload(1, version: 3, bytes: SyncTests.bytes)
    stage.run()
    #expect(client.take().compactMap(\.failureCode) == [230])
    client.send(.unbind(UnbindMessage(session: SessionIdent(1))))
    client.bind(1, "/ann/todo", needsIdent: false)
    client.ident(1, file)
    stage.run()
    #expect(client.take().compactMap(\.failureCode) == [])
    try grant("none")
    stage.run()
    #expect(client.take().compactMap(\.failureCode) == [206])
  }

  @Test("a grant on the reference realm opens a partial view, and its withdrawal ends the session of the view")
  func partialView() throws {
    let stage = try Stage()
    let ann = try stage.user("ann"), ben = try stage.user("ben")
    let grant = { (level: String) in
      _ = try stage.send(
        "POST", "/api/openrealm/v1/permissions", bearer: ann.token,
        body: #"{"path":"/~/todo","userId":"ben","access":"\#(level)"}"#)
    }
    let view = "/ann/todo/__partial/ben/main"
    let refused = try stage.connect(ben.token)
    refused.bind(1, view)
    stage.run()
    #expect(refused.take().compactMap(\.failureCode) == [206])
    try grant("read")
    let (client, _) = try stage.session(ben.token, view)
    try grant("none")
    #expect(client.take().compactMap(\.failureCode) == [206])
  }
}
