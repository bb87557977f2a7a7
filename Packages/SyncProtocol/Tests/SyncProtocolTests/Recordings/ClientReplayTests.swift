import ChangesetOT
import SyncProtocol
import Testing

/// The server's half of recorded conversations, spoken to this client: it finds nothing wrong, and ends where the recorded
/// client did.
struct ClientReplayTests {
  /// One recorded connection, replayed.
  private struct Replay {
    let lines: [Recording.Line]
    var machine: ClientConnection
    var now: Duration = .zero
    /// The uploads of the recorded client by session: our file must send the same.
    var uploads: [SessionIdent: [UploadEntry]] = [:]
    var newest = ClientVersion(4)
    var marksSent: [SessionIdent: RequestIdent] = [:]
    var violations: [String] = []
    var failures: [SyncFailure] = []
    var integrated: [SessionIdent: SyncProgress] = [:]
    var uploaded: [SessionIdent: Set<ClientVersion>] = [:]

    init(_ lines: [Recording.Line], dialect: Dialect) throws {
      self.lines = lines
      machine = ClientConnection(flavour: dialect.flavour, seed: 1)
      for line in lines where line.isClient {
        guard case .upload(let upload) = try MessageDecoder(dialect: dialect).clientMessage(line.bytes) else {
          continue
        }
        uploads[upload.session, default: []] += upload.entries
        newest = max(newest, upload.progress.client)
      }
      newest = ClientVersion(newest.rawValue + 8)
    }

    mutating func run(_ dialect: Dialect) throws {
      let decoder = MessageDecoder(dialect: dialect)
      // IDENT contains the state of the recorded client file.
      var idents: [SessionIdent: ClientIdentMessage] = [:]
      for line in lines where line.isClient {
        if case .ident(let claim) = try decoder.clientMessage(line.bytes), idents[claim.session] == nil {
          idents[claim.session] = claim
        }
      }
      var isOpen = false
      for line in lines where !line.isLost {
        if line.isClient {
          try heard(decoder.clientMessage(line.bytes), idents)
          if !isOpen {
            isOpen = true
            perform(machine.handle(.socketOpened(token: "\(dialect.flavour.tokenPrefix)#\(dialect.version)"), at: now))
          }
        } else {
          // PONGs echo times of the recorded client.
          if case .pong = try decoder.serverMessage(line.bytes) { continue }
          perform(machine.receive(line.bytes, at: now))
        }
      }
    }

    private mutating func heard(_ message: ClientMessage, _ idents: [SessionIdent: ClientIdentMessage]) {
      switch message {
      case .bind(let bind):
        let claim = idents[bind.session]
        var setup = SessionSetup(path: bind.path, token: bind.token, newest: newest, query: claim?.query)
        if !bind.needsFileIdent, let claim {
          setup.file = claim.file
          setup.progress = SyncProgress(
            latestServerVersion: claim.latestServerVersion, download: claim.download,
            upload: UploadCursor(client: claim.download.client, server: .zero))
        }
        perform(machine.handle(.activate(bind.session, setup), at: now))
      case .mark(let mark):
        while (marksSent[mark.session] ?? RequestIdent(0)) < mark.request {
          let before = marksSent[mark.session]
          perform(machine.handle(.waitForDownloads(mark.session, WaitIdent(rawValue: mark.request.rawValue)), at: now))
          if marksSent[mark.session] == before { return }
        }
      case .unbind(let unbind): perform(machine.handle(.deactivate(unbind.session), at: now))
      case .query(let change):
        perform(machine.handle(.changeQuery(change.session, change.query, after: .zero), at: now))
      case .ident, .upload, .jsonError, .ping, .testCommand: break
      }
    }

    private mutating func perform(_ first: [ClientConnection.Action]) {
      var queue = first
      while !queue.isEmpty {
        let action = queue.removeFirst()
        switch action {
        case .send(let message):
          if case .mark(let mark) = message { marksSent[mark.session] = mark.request }
          if case .upload(let upload) = message {
            uploaded[upload.session, default: []].formUnion(upload.entries.map(\.cursor.client))
          }
          queue += machine.handle(.writable, at: now)
        case .storeFileIdent(let session, _):
          queue += machine.handle(.fileIdentStored(session, newest: newest), at: now)
        case .scanHistory(let session, let request):
          let entries = (uploads[session] ?? []).filter { $0.cursor.client > request.after.client }
          let server = max(entries.last?.cursor.server ?? .zero, request.after.server)
          let scan = UploadScan(
            entries: entries, progress: UploadCursor(client: newest, server: server), lockedServerVersion: .zero)
          queue += machine.handle(.historyScanned(session, request.work, scan), at: now)
        case .integrate(let session, let work, let message, _):
          integrated[session] = message.progress
          queue += machine.handle(.integrated(session, work, progress: message.progress, newest: newest), at: now)
        case .report(_, let failure), .resetClient(_, let failure):
          failures.append(failure)
          if failure.origin == .violation { violations.append(failure.message) }
        default: break
        }
      }
    }
  }

  @Test("every recorded server is understood: none of its messages is a violation, and every changeset is integrated")
  func recordedServers() throws {
    var replayed = 0
    for (name, recording) in try Recording.all() {
      let lines = recording.lines()
      for connection in Set(lines.map(\.connection)).sorted() {
        let own = lines.filter { $0.connection == connection }
        guard let dialect = own.first?.dialect else { continue }
        var replay = try Replay(own, dialect: dialect)
        try replay.run(dialect)
        let place = "\(name), connection \(connection)"
        #expect(replay.violations.isEmpty, "\(place): \(replay.violations)")
        var last: [SessionIdent: SyncProgress] = [:]
        var errors = 0
        for line in own where !line.isClient && !line.isLost {
          switch try MessageDecoder(dialect: dialect).serverMessage(line.bytes) {
          case .download(let message): last[message.session] = message.progress
          case .error, .jsonError: errors += 1
          default: break
          }
        }
        if errors == 0 {
          #expect(replay.integrated == last, "\(place)")
        } else {
          #expect(!replay.failures.isEmpty, "\(place): \(errors) errors and no failure")
        }
        for (session, entries) in replay.uploads where errors == 0 {
          // Changesets of another connection are acknowledged by the first answer and not sent again.
          let acknowledged = replay.integrated[session]?.upload.client ?? .zero
          let missing = entries.map(\.cursor.client).filter { version in
            version > acknowledged && replay.uploaded[session]?.contains(version) != true
          }
          #expect(missing.isEmpty, "\(place): uploads")
        }
        replayed += 1
      }
    }
    #expect(replayed >= 16)
  }
}
