import ChangesetOT
import SyncProtocol
import SyncProtocolTestSupport
import TestKit
import Testing

/// Messages and answers in any order whatever: the machines answer or close, and never trap.
struct FuzzTests {
  @Test(
    "the server machine survives any order of messages and answers, and never sends a message that terminates a stock client"
  )
  func server() {
    for seed in Seeds.some(300) {
      let dialect = Dialect(seed % 4 == 0 ? .flexible : .full, ProtocolVersion(8 + UInt16(seed % 7)))
      var messages = RandomMessages(seed: seed, dialect: dialect)
      var settings = ServerConnection.Settings()
      settings.uploadBacklog = 100
      settings.uploadBacklogLimit = 5_000
      var machine = ServerConnection(dialect: dialect, settings: settings)
      var keys: [SessionKey] = []
      for action in machine.start() { note(action, &keys, seed) }
      for _ in 0..<120 {
        for action in machine.handle(serverEvent(&messages, keys)) { note(action, &keys, seed) }
      }
    }
  }

  private func note(_ action: ServerConnection.Action, _ keys: inout [SessionKey], _ seed: UInt64) {
    switch action {
    case .openRealm(let key, _): keys.append(key)
    case .send(.error): Issue.record("SEED=\(seed): a plain ERROR")
    case .send(.jsonError(let error)):
      #expect(!error.code.crashesStockClients, "SEED=\(seed)")
      #expect(error.code.isKnown, "SEED=\(seed)")
    default: break
    }
  }

  private func serverEvent(_ messages: inout RandomMessages, _ keys: [SessionKey]) -> ServerConnection.Event {
    // Few sessions and small numbers, so that messages refer to the same sessions.
    let session = SessionIdent(UInt64.random(in: 1...3, using: &messages.random))
    func small() -> UInt64 { UInt64.random(in: 0...4, using: &messages.random) }
    let key = keys.randomElement(using: &messages.random)
    switch (Int.random(in: 0..<22, using: &messages.random), key) {
    case (0, _): return .received(messages.clientMessage())
    case (1, _), (2, _):
      return .received(
        .bind(BindMessage(session: session, path: dialectPath(messages.dialect), needsFileIdent: small() > 2)))
    case (3, _), (4, _):
      return .received(
        .ident(
          ClientIdentMessage(
            session: session, file: SaltedFileIdent(ident: FileIdent(small()), salt: 7),
            download: DownloadCursor(server: ServerVersion(small()), client: ClientVersion(small())),
            latestServerVersion: SaltedServerVersion(version: ServerVersion(small()), salt: 9))))
    case (5, _), (6, _):
      let entries = (0..<small()).map { _ in
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(small()), server: ServerVersion(small())),
          timestamp: OriginTimestamp(1), changeset: [UInt8](repeating: 1, count: 30))
      }
      return .received(
        .upload(
          UploadMessage(
            session: session, progress: UploadCursor(client: ClientVersion(small()), server: ServerVersion(small())),
            lockedServerVersion: ServerVersion(small()), entries: entries)))
    case (7, _): return .received(.mark(MarkMessage(session: session, request: RequestIdent(small()))))
    case (8, _): return .received(.unbind(UnbindMessage(session: session)))
    case (9, _): return [.congested, .drained, .timerEnded(.idle)].randomElement(using: &messages.random) ?? .drained
    case (10, let key?), (11, let key?): return .realmOpened(key)
    case (12, let key?): return .fileIdentAllocated(key, SaltedFileIdent(ident: FileIdent(2), salt: 7))
    case (13, let key?), (14, let key?):
      return .clientFileFound(
        key, small() == 0 ? nil : ClientFileRecord(salt: 7),
        ServerHistoryState(current: SaltedServerVersion(version: ServerVersion(4), salt: 9), saltOfClaim: 9))
    case (15, let key?), (16, let key?):
      return .historyScanned(key, ServerDialogue.scan(small(), small(), end: small() > 1))
    case (17, let key?): return .historyAdvanced(key)
    case (18, let key?): return .uploadIntegrated(key, bytes: Int(small()))
    case (19, let key?) where small() == 0: return .sessionFailed(key, SessionFailure(.badChangeset, "x"))
    case (20, let key?) where small() == 0: return .displaced(key)
    default: return .received(.ping(PingMessage(timestamp: small())))
    }
  }

  private func dialectPath(_ dialect: Dialect) -> String { dialect.flavour == .full ? "/a" : "{}" }

  @Test("the client machine survives any order of messages and answers")
  func client() {
    for seed in Seeds.some(300) {
      let dialect = Dialect(seed % 4 == 0 ? .flexible : .full, ProtocolVersion(8 + UInt16(seed % 7)))
      var messages = RandomMessages(seed: seed, dialect: dialect)
      var machine = ClientConnection(flavour: dialect.flavour, seed: seed)
      var time: Duration = .zero
      for _ in 0..<150 {
        time += .seconds(Int64.random(in: 0...50, using: &messages.random))
        _ = machine.handle(clientEvent(&messages, dialect), at: time)
      }
    }
  }

  private func clientEvent(_ messages: inout RandomMessages, _ dialect: Dialect) -> ClientConnection.Event {
    let session = SessionIdent(UInt64.random(in: 1...3, using: &messages.random))
    func small() -> UInt64 { UInt64.random(in: 0...4, using: &messages.random) }
    let work = WorkIdent(rawValue: UInt64.random(in: 0...20, using: &messages.random))
    switch Int.random(in: 0..<24, using: &messages.random) {
    case 0: return .received(messages.serverMessage())
    case 1:
      return .activate(
        SessionIdent(session.rawValue + small()), SessionSetup(path: "/a", newest: ClientVersion(small())))
    case 2 where small() == 0: return .deactivate(session)
    case 3: return .reconnectNow
    case 4: return .localCommit(session, newest: ClientVersion(small() * 2))
    case 5, 6: return .fileIdentStored(session, newest: ClientVersion(small()))
    case 7, 8:
      return .historyScanned(
        session, work,
        UploadScan(
          entries: [], progress: UploadCursor(client: ClientVersion(small()), server: .zero), lockedServerVersion: .zero
        ))
    case 9, 10:
      return .integrated(
        session, work, progress: ServerDialogue.scan(small(), 0).progress, newest: ClientVersion(small()))
    case 11 where small() == 0: return .workFailed(session, .badChangeset, message: "x")
    case 12, 13: return .socketOpened(token: "\(dialect.flavour.tokenPrefix)#\(dialect.version)")
    case 14 where small() == 0: return .socketFailed(.lost, message: "x")
    case 15 where small() == 0:
      return .socketRefused(
        status: [200, 301, 401, 403, 404, 500].randomElement(using: &messages.random) ?? 500, message: "")
    case 16 where small() == 0:
      return .socketClosed(code: CloseCode(messages.random.oneIn(2) ? 4001 : 1009), reason: "")
    case 17:
      return .received(
        .download(
          DownloadMessage(
            session: session, progress: ServerDialogue.scan(small(), 0).progress,
            batch: dialect.flavour == .flexible ? DownloadBatch(query: .zero, state: .steady) : nil)))
    case 18: return .received(.mark(MarkMessage(session: session, request: RequestIdent(small()))))
    case 19:
      return .received(
        .ident(ServerIdentMessage(session: session, file: SaltedFileIdent(ident: FileIdent(2), salt: 7))))
    case 20:
      let actions: [ErrorAction] = [.transient, .clientReset, .warning, .refreshUser, .logOutUser, .other("x")]
      return .received(
        .jsonError(
          JSONErrorMessage(
            code: small() == 0 ? .otherError : .sessionClosed, session: small() == 0 ? .connection : session,
            details: ErrorDetails(
              message: "", action: actions.randomElement(using: &messages.random) ?? .warning, tryAgain: small() > 2))))
    case 21:
      return .timerEnded(
        [.reconnect, .ping, .pongTimeout, .linger, .connectTimeout, .resume(session)].randomElement(
          using: &messages.random) ?? .ping)
    case 22: return .waitForDownloads(session, WaitIdent(rawValue: small()))
    default: return .writable
    }
  }
}
