import ChangesetOT
import SyncProtocol

/// A client machine with what tests let happen to it; actions in short.
struct ClientDialogue {
  var machine: ClientConnection
  var now: Duration = .zero
  let dialect: Dialect
  static let one = SessionIdent(1)

  init(flavour: SyncFlavour = .full, version: UInt16 = 14, seed: UInt64 = 1) {
    machine = ClientConnection(flavour: flavour, seed: seed)
    dialect = Dialect(flavour, ProtocolVersion(version))
  }

  /// An event; a sent message is followed by "writable" at once, so that the next one shows too.
  mutating func happen(_ event: ClientConnection.Event) -> [String] {
    flush(machine.handle(event, at: now))
  }

  /// A message of the server.
  mutating func hear(_ text: String) -> [String] { flush(machine.receive(Array(text.utf8), at: now)) }

  private mutating func flush(_ first: [ClientConnection.Action]) -> [String] {
    var actions = first
    var lines: [String] = []
    while true {
      lines += actions.compactMap(brief)
      for action in actions {
        switch action {
        case .scanHistory(_, let request): scan = request.work
        case .integrate(_, let work, _, _): integration = work
        default: break
        }
      }
      let hasSent = actions.contains { if case .send = $0 { true } else { false } }
      guard hasSent else { return lines }
      actions = machine.handle(.writable, at: now)
    }
  }

  private func brief(_ action: ClientConnection.Action) -> String? {
    switch action {
    case .openSocket: "open"
    case .closeSocket: "close"
    case .send(let message): "> " + String(decoding: message.encoded(for: dialect).prefix { $0 != 0x0A }, as: UTF8.self)
    case .startTimer(.resume(let session), let delay): "timer resume \(session.rawValue) \(delay.components.seconds)"
    case .startTimer(.reconnect, let delay): "timer reconnect \(delay.components.seconds)"
    case .startTimer(.throttle, let delay): "timer throttle \(Int(delay / .milliseconds(1))) ms"
    case .startTimer(.coalesce, let delay): "timer coalesce \(Int(delay / .milliseconds(1))) ms"
    case .stopTimer(.throttle): "stop throttle"
    case .stopTimer(.coalesce): "stop coalesce"
    case .startTimer, .stopTimer, .progressed, .log: nil
    case .storeFileIdent(_, let file): "store \(file.ident.rawValue)"
    case .scanHistory(let session, let request):
      "scan\(session == Self.one ? "" : " of \(session.rawValue)") after \(request.after.client.rawValue)"
    case .integrate(_, _, let message, let reports):
      "integrate \(message.entries.count) to \(message.progress.download.server.rawValue)"
        + (reports.isEmpty ? "" : " with \(reports.count) reports")
    case .connectionChanged(let state): "\(state.rawValue)"
    case .sessionChanged(let session, let state): "\(session.rawValue) \(state)"
    case .uploadsCompleted(_, let wait): "uploaded \(wait.rawValue)"
    case .downloadsCompleted(_, let wait): "downloaded \(wait.rawValue)"
    case .report(let session, let failure):
      "report \(session.rawValue) \(failure.code.map { String($0.rawValue) } ?? "\(failure.origin)")\(failure.isFatal ? " fatal" : "")"
    case .deactivated(let session): "gone \(session.rawValue)"
    case .refreshAccessToken: "refresh token"
    case .refreshLocation: "refresh location"
    case .logOut: "log out"
    case .resetClient(let session, let failure): "reset \(session.rawValue) \(failure.action.text)"
    case .deleteRealm(let session): "delete \(session.rawValue)"
    case .queryRefused(_, let query, _): "query refused \(query.rawValue)"
    case .queryCompleted(_, let query): "query completed \(query.rawValue)"
    }
  }

  /// A known file, connected, bound and through its first MARK; uploads flow.
  mutating func connect(newest: UInt64 = 4, query: QuerySet? = nil) {
    _ = happen(
      .activate(Self.one, SessionSetup(path: "/a", file: Self.file, newest: ClientVersion(newest), query: query)))
    _ = happen(.socketOpened(token: "\(dialect.flavour.tokenPrefix)#\(dialect.version)"))
    _ = hear(Self.download(0, 0, flavour: dialect.flavour))
    _ = finish(0, newest: newest)
    _ = hear("mark 1 1\n")
  }

  static let file = SaltedFileIdent(ident: FileIdent(2), salt: 77)

  static func download(_ server: UInt64, _ upload: UInt64, flavour: SyncFlavour = .full) -> String {
    let salt = server == 0 ? 0 : 9
    let batch = flavour == .flexible ? "0 2 1" : "0"
    return "download 1 \(server) 0 \(server) \(salt) \(upload) 0 \(batch) 0 0 0\n"
  }

  /// The work that runs.
  var scan = WorkIdent(rawValue: 0)
  var integration = WorkIdent(rawValue: 0)

  /// The file finished the running integration: it is at server version `server`.
  mutating func finish(_ server: UInt64, upload: UInt64 = 0, newest: UInt64) -> [String] {
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(server), salt: server == 0 ? 0 : 9),
      download: DownloadCursor(server: ServerVersion(server), client: .zero),
      upload: UploadCursor(client: ClientVersion(upload), server: .zero))
    return happen(.integrated(Self.one, integration, progress: progress, newest: ClientVersion(newest)))
  }

  /// The file finished the running scan.
  mutating func scanned(_ versions: [UInt64], to newest: UInt64) -> [String] {
    let entries = versions.map {
      UploadEntry(
        cursor: UploadCursor(client: ClientVersion($0), server: .zero), timestamp: OriginTimestamp(5), changeset: [1])
    }
    let scan = UploadScan(
      entries: entries, progress: UploadCursor(client: ClientVersion(newest), server: .zero), lockedServerVersion: .zero
    )
    return happen(.historyScanned(Self.one, self.scan, scan))
  }
}
