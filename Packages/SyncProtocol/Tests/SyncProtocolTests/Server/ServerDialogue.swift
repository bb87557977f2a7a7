import ChangesetOT
@testable import SyncProtocol

/// A server machine with what tests say to it, in text.
struct ServerDialogue {
  var machine: ServerConnection
  static let file = SaltedFileIdent(ident: FileIdent(2), salt: 77)
  static let key = SessionKey.first

  init(version: UInt16 = 14, flavour: SyncFlavour = .full, settings: ServerConnection.Settings = .init()) {
    machine = ServerConnection(
      dialect: Dialect(flavour, ProtocolVersion(version)), correlation: "c", settings: settings)
    _ = machine.start()
  }

  /// The answers to a message as heads, and all other actions in short form.
  mutating func say(_ text: String) -> [String] { Self.brief(machine.receive(Array(text.utf8)), machine.dialect) }
  mutating func happen(_ event: ServerConnection.Event) -> [String] {
    Self.brief(machine.handle(event), machine.dialect)
  }

  static func brief(_ actions: [ServerConnection.Action], _ dialect: Dialect) -> [String] {
    actions.compactMap { action in
      switch action {
      case .send(.jsonError(let error)):
        "error \(error.code.rawValue) \(error.session.rawValue) \(error.details.action.text)"
      case .send(.log(let line)): "log \(line.session.rawValue)"
      case .send(let message): String(decoding: message.encoded(for: dialect).prefix { $0 != 0x0A }, as: UTF8.self)
      case .close(let code, _): "close \(code.rawValue)"
      case .pauseReading: "pause"
      case .resumeReading: "resume"
      case .startTimer(let timer, _): "timer \(timer)"
      case .openRealm(_, let request): "open \(request.rawPath)"
      case .allocateFileIdent: "allocate"
      case .findClientFile(_, let claim): "find \(claim.file.ident.rawValue)"
      case .sessionIdentified(_, let file): "identified \(file.rawValue)"
      case .scanHistory(_, let request):
        "scan \(request.from.server.rawValue) \(request.from.client.rawValue)" + brief(request)
      case .integrate(_, let batch):
        "integrate \(batch.entries.map(\.cursor.client.rawValue)) to \(batch.progress.client.rawValue) \(batch.progress.server.rawValue)"
          + (batch.queries.map { " under \($0.version.rawValue)" } ?? "")
      case .sessionEnded: "ended"
      case .log: nil
      }
    }
  }

  /// The view of a scan as the numbers of its two sets, and whether it goes on with a bootstrap.
  private static func brief(_ request: DownloadScanRequest) -> String {
    guard let view = request.view else { return "" }
    let sets = " view \(view.held.version.rawValue) to \(view.wanted.version.rawValue)"
    return sets + (request.continuesBootstrap ? " goes on" : "")
  }

  /// Brings session 1 to where data flows: at server version `current`, with the client at `scan`.
  mutating func activate(
    current: UInt64 = 0, scan: (UInt64, UInt64) = (0, 0), record: ClientFileRecord = ClientFileRecord(salt: 77)
  ) {
    _ = say("bind 1 2 0 0 0\n/a")
    _ = happen(.realmOpened(.first))
    let salt = current == 0 ? 0 : 9
    _ = say("ident 1 2 77 \(scan.0) \(scan.1) \(current) \(salt)\n")
    _ = happen(.clientFileFound(.first, record, Self.state(current)))
    _ = happen(.historyScanned(.first, Self.scan(current, scan.1, upload: record.upload)))
  }

  static func state(_ current: UInt64, saltOfClaim: Int64? = nil) -> ServerHistoryState {
    let salt: Int64 = current == 0 ? 0 : 9
    return ServerHistoryState(
      current: SaltedServerVersion(version: ServerVersion(current), salt: salt), saltOfClaim: saltOfClaim ?? salt)
  }

  /// A scan up to `server` that found `entries` entries.
  static func scan(
    _ server: UInt64, _ client: UInt64, upload: UploadCursor = .zero, entries: [UInt64] = [], end: Bool = true
  ) -> DownloadScan {
    DownloadScan(
      progress: SyncProgress(
        latestServerVersion: SaltedServerVersion(version: ServerVersion(server), salt: server == 0 ? 0 : 9),
        download: DownloadCursor(server: ServerVersion(server), client: ClientVersion(client)), upload: upload),
      reachedEnd: end,
      entries: entries.map {
        DownloadEntry(
          cursor: DownloadCursor(server: ServerVersion($0), client: ClientVersion(client)),
          timestamp: OriginTimestamp(1),
          origin: FileIdent(3), changeset: [1])
      })
  }
}

extension SessionKey {
  /// The first session of a connection.
  static let first = SessionKey.named(1, 1)

  /// A key as the machine makes it: taken from the action that opens the realm.
  static func named(_ ident: UInt64, _ generation: Int) -> SessionKey {
    var machine = ServerConnection(dialect: Dialect())
    var last: SessionKey?
    for _ in 0..<generation {
      for action in machine.handle(
        .received(.bind(BindMessage(session: SessionIdent(ident), path: "/a", needsFileIdent: false))))
      {
        if case .openRealm(let key, _) = action { last = key }
      }
      _ = machine.handle(.received(.unbind(UnbindMessage(session: SessionIdent(ident)))))
    }
    guard let last else { preconditionFailure("BIND opens a realm") }
    return last
  }
}
