import ChangesetOT
import SyncProtocol
import Synchronization
import Transport

/// A server double over the protocol's machine, with opaque changesets for contents. Used on the simulated loop only.
// @unchecked Sendable: touched on the loop, and by the test while the loop does not run.
final class PlainServer: HTTPServerHandler, @unchecked Sendable {
  struct Entry {
    var author: FileIdent
    var client: ClientVersion
    var changeset: [UInt8]
  }
  final class Realm {
    var history: [Entry] = []
    var clients: [FileIdent: ClientFileRecord] = [:]
    var salt: Int64 = 4_242
    var members: [(PlainServerConnection, SessionKey)] = []
    var current: SaltedServerVersion {
      SaltedServerVersion(version: ServerVersion(UInt64(history.count)), salt: history.isEmpty ? 0 : salt)
    }
  }
  var realms: [String: Realm] = [:]
  var connections = 0
  /// Whether upgrade requests get no answer.
  var isSilent = false
  /// The size of the largest message received.
  var largestMessage = 0
  /// The accepted tokens; nil accepts any.
  var tokens: Set<String>?
  var refusal: SessionFailure?

  func realm(_ key: String) -> Realm {
    if let realm = realms[key] { return realm }
    let realm = Realm()
    realms[key] = realm
    return realm
  }

  func respond(to request: HTTPRequest, with responder: any HTTPResponder) {
    responder.respond(HTTPResponse(status: 404, text: "no\n"))
  }

  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    if isSilent { return }
    let token = UpgradePath.accessToken(inQuery: request.http.query ?? "") ?? ""
    guard let negotiation = try? Negotiation.choose(from: request.protocolTokens) else {
      return responder.refuse(HTTPResponse(status: 400, text: "no\n"))
    }
    connections += 1
    let isWelcome = tokens?.contains(token) ?? true
    responder.accept(
      protocolToken: negotiation.token, headers: [:], options: WebSocketOptions(),
      handler: PlainServerConnection(self, negotiation.dialect, isWelcome: isWelcome))
  }
}

/// One connection of the plain server.
// @unchecked Sendable: touched on the loop only.
final class PlainServerConnection: WebSocketHandler, @unchecked Sendable {
  private let server: PlainServer
  private let runner: MachineRunner<ServerConnection, ServerConnection.Event, ServerConnection.Action>
  private var socket: (any WebSocketConnection)?
  private var realms: [SessionKey: PlainServer.Realm] = [:]
  private let isWelcome: Bool

  init(_ server: PlainServer, _ dialect: Dialect, isWelcome: Bool) {
    self.server = server
    self.isWelcome = isWelcome
    runner = MachineRunner(ServerConnection(dialect: dialect)) { machine, event in machine.handle(event) }
  }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    socket = connection
    runner.run({ $0.start() }, perform: perform)
    if !isWelcome { handle(.tokenExpired) }
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return handle(.receivedText) }
    server.largestMessage = max(server.largestMessage, bytes.count)
    runner.run({ $0.receive(bytes) }, perform: perform)
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { handle(.disconnected) }

  func handle(_ event: ServerConnection.Event) { runner.handle(event, perform: perform) }

  private func perform(_ action: ServerConnection.Action) {
    switch action {
    case .send(let message): socket?.send(binary: message.encoded(for: runner.machine.dialect))
    case .close(let code, let reason):
      socket?.close(code: WebSocketCloseCode(rawValue: code.rawValue), reason: reason)
    case .openRealm(let key, let request):
      if let refusal = server.refusal {
        runner.enqueue(.sessionFailed(key, refusal))
      } else {
        realms[key] = server.realm(request.rawPath)
        runner.enqueue(.realmOpened(key))
      }
    case .allocateFileIdent(let key): allocate(key)
    case .findClientFile(let key, let claim): find(key, claim)
    case .sessionIdentified(let key, _): realms[key]?.members.append((self, key))
    case .scanHistory(let key, let request): scan(key, request)
    case .integrate(let key, let batch): integrate(key, batch)
    case .sessionEnded(let key):
      realms.removeValue(forKey: key)?.members.removeAll { $0.0 === self && $0.1 == key }
    case .pauseReading, .resumeReading, .startTimer, .log: break
    }
  }

  private func allocate(_ key: SessionKey) {
    guard let realm = realms[key] else { return }
    let file = SaltedFileIdent(ident: FileIdent(UInt64(realm.clients.count) + 2), salt: Int64(realm.clients.count) + 77)
    realm.clients[file.ident] = ClientFileRecord(salt: file.salt)
    runner.enqueue(.fileIdentAllocated(key, file))
  }

  private func find(_ key: SessionKey, _ claim: ClientIdentMessage) {
    guard let realm = realms[key] else { return }
    let version = claim.latestServerVersion.version
    let salt: Int64? = version == .zero ? 0 : version <= realm.current.version ? realm.salt : nil
    let state = ServerHistoryState(current: realm.current, saltOfClaim: salt)
    runner.enqueue(.clientFileFound(key, realm.clients[claim.file.ident], state))
  }

  private func scan(_ key: SessionKey, _ request: DownloadScanRequest) {
    guard let realm = realms[key] else { return }
    var cursor = request.from
    var entries: [DownloadEntry] = []
    for index in realm.history.indices.dropFirst(Int(request.from.server.rawValue)) {
      let entry = realm.history[index]
      cursor.server = ServerVersion(UInt64(index) + 1)
      if entry.author == request.file {
        cursor.client = entry.client
      } else {
        entries.append(
          DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: entry.author, changeset: entry.changeset)
        )
      }
    }
    let upload = realm.clients[request.file]?.upload ?? .zero
    runner.enqueue(
      .historyScanned(
        key,
        DownloadScan(
          progress: SyncProgress(latestServerVersion: realm.current, download: cursor, upload: upload),
          reachedEnd: true,
          entries: entries)))
  }

  private func integrate(_ key: SessionKey, _ batch: UploadBatch) {
    guard let realm = realms[key] else { return }
    for entry in batch.entries {
      realm.history.append(.init(author: batch.file, client: entry.cursor.client, changeset: entry.changeset))
    }
    realm.clients[batch.file]?.upload = batch.progress
    runner.enqueue(.uploadIntegrated(key, bytes: batch.weight))
    guard !batch.entries.isEmpty else { return }
    for (connection, member) in realm.members { connection.handle(.historyAdvanced(member)) }
  }
}
