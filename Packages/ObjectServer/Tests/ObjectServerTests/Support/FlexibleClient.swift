import ChangesetOT
import ChangesetOTTestSupport
import DataModel
@testable import ObjectServer
import SyncProtocol
import Testing
import Transport

/// A client of flexible sync that keeps its file as a stock client does: batches of a bootstrap wait until the last one has
/// come, and are forgotten when its session is suspended, not when its connection breaks. It checks every message as stock clients do.
///
/// It does not merge: it uploads only when nothing is on its way to it.
final class FlexibleClient {
  let stage: Stage
  let token: String
  let version: UInt16
  let app: String?
  private(set) var wire: WireClient
  private(set) var file: SaltedFileIdent?
  private(set) var progress = SyncProgress()
  private(set) var state = ModelState()
  /// The active subscription set.
  private(set) var active = QuerySet()
  private(set) var errors: [QueryErrorMessage] = []
  private(set) var failures: [JSONErrorMessage] = []
  private(set) var answeredMark: UInt64 = 0
  private(set) var bootstraps = 0
  /// The times that the session was suspended, to be tried again.
  private(set) var suspensions = 0
  private(set) var clientVersion: UInt64 = 1
  private var sets: [QuerySet] = [QuerySet()]
  private var pending: (query: QueryVersion, entries: [DownloadEntry])?
  private var lastMark: UInt64 = 0
  /// The versions of compensating writes that have not come yet.
  private var told: [ServerVersion] = []

  init(_ stage: Stage, _ token: String, version: UInt16 = 14, app: String? = "todo-abcde", host: String = "flexible")
    throws
  {
    self.stage = stage
    self.token = token
    self.version = version
    self.app = app
    wire = WireClient()
    try connect(host: host)
  }

  /// Opens a connection and a session, once more each time that it is to be tried again, and sends the sets that the server has
  /// not served.
  ///
  /// - Parameter claim: the active set in IDENT, if it is not that of the file.
  func connect(host: String = "flexible", claiming claim: QuerySet? = nil) throws {
    var before = suspensions
    try open(host: host, claiming: claim)
    while suspensions > before, suspensions < 100 {
      before = suspensions
      try open(host: host, claiming: claim)
    }
  }

  private func open(host: String, claiming claim: QuerySet?) throws {
    let before = suspensions
    told = []
    lastMark = 0
    answeredMark = 0
    let path = app.map { "/api/client/v2.0/app/\($0)/realm-sync" } ?? "/realm-sync"
    wire = try stage.connect(
      token, path: path, offers: ["com.mongodb.realm-query-sync#\(version)"], from: host)
    wire.send(
      .bind(
        BindMessage(
          session: SessionIdent(1), path: FlexibleBinding(sessionReason: 0, schemaVersion: 0).path,
          needsFileIdent: file == nil)))
    stage.run()
    if file == nil { file = wire.take().compactMap(\.file).first }
    let file = try #require(self.file, "the server gives an ident")
    wire.send(
      .ident(
        ClientIdentMessage(
          session: SessionIdent(1), file: file, download: progress.download,
          latestServerVersion: progress.latestServerVersion, query: claim ?? active)))
    try mark()
    if suspensions > before { return }
    for set in sets where set.version > active.version && !errors.contains(where: { $0.query == set.version }) {
      wire.send(.query(QueryChangeMessage(session: SessionIdent(1), query: set)))
    }
    try mark()
  }

  /// Replaces the subscriptions, and waits for them.
  func subscribe(_ json: String) throws {
    send(QuerySet(version: QueryVersion(UInt64(sets.count)), json: json))
    try mark()
  }

  /// Replaces the subscriptions.
  func send(_ set: QuerySet) {
    sets.append(set)
    wire.send(.query(QueryChangeMessage(session: SessionIdent(1), query: set)))
  }

  func mark() throws {
    let before = suspensions
    lastMark += 1
    wire.mark(1, lastMark)
    try settle()
    if failures.isEmpty, suspensions == before { #expect(answeredMark == lastMark, "MARK is answered") }
  }

  /// Writes locally, and uploads.
  ///
  /// - Parameter settles: whether the client takes what has come, as it does unless its connection ends before.
  func write(_ instructions: [Instruction], settles: Bool = true) throws {
    for instruction in instructions { try state.apply(instruction) }
    clientVersion += 1
    let base = progress.download.server
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    let cursor = UploadCursor(client: ClientVersion(clientVersion), server: base)
    wire.send(
      .upload(
        UploadMessage(
          session: SessionIdent(1), progress: cursor, lockedServerVersion: base,
          entries: [
            UploadEntry(
              cursor: cursor, timestamp: OriginTimestamp(unixMilliseconds: stage.loop.wallTime.millisecondsSince1970),
              changeset: Changeset(instructions: instructions, origin: origin).encoded())
          ])))
    if settles { try settle() }
  }

  /// Whether it has a part of a bootstrap that did not come to its end.
  var hasPart: Bool { pending != nil }

  /// Takes what comes for a while.
  func settle(_ duration: Duration = .seconds(1)) throws {
    stage.run(duration)
    for message in wire.take() {
      switch message {
      case .download(let download): try take(download)
      case .mark(let mark): answeredMark = mark.request.rawValue
      case .queryError(let error):
        #expect(error.query > active.version, "stock clients end when a set that they have is refused")
        errors.append(error)
      case .jsonError(let error) where error.code == ProtocolErrorCode(200):
        #expect(error.details.tryAgain)
        pending = nil
        suspensions += 1
      case .jsonError(let error):
        failures.append(error)
        if let version = error.details.compensation?.serverVersion { told.append(version) }
      default: break
      }
    }
  }

  private func take(_ download: DownloadMessage) throws {
    let batch = try #require(download.batch)
    check(download)
    switch batch.state {
    case .steady:
      #expect(pending == nil, "no steady message within a bootstrap")
      report(with: download)
      try integrate(download.entries, download.progress)
    case .moreToCome, .last:
      #expect(batch.query > active.version || bootstraps == 0)
      #expect(!download.entries.isEmpty || pending != nil, "an empty bootstrap")
      var entries = download.entries
      if let pending, pending.query == batch.query { entries = pending.entries + entries }
      pending = (batch.query, entries)
      guard batch.state == .last else { return }
      #expect(
        told.allSatisfy { $0 > download.progress.download.server }, "stock clients report nothing with a bootstrap")
      pending = nil
      bootstraps += 1
      active = try #require(sets.first { $0.version == batch.query }, "a bootstrap of an unknown set")
      try integrate(entries, download.progress)
    }
  }

  /// The checks of a stock client.
  private func check(_ download: DownloadMessage) {
    let next = download.progress
    #expect(next.latestServerVersion.version >= progress.latestServerVersion.version)
    #expect(next.download.server >= progress.download.server)
    #expect(next.download.client >= progress.download.client)
    #expect(next.upload.client >= progress.upload.client)
    #expect(next.upload.client.rawValue <= clientVersion)
    #expect(next.download.server <= next.latestServerVersion.version)
    #expect(next.download.client <= next.upload.client)
    #expect(next.download.server >= next.upload.server)
    var cursor = progress.download
    for entry in download.entries {
      #expect(entry.cursor.server > .zero)
      #expect(entry.cursor.server >= cursor.server)
      #expect(entry.cursor.server <= next.download.server)
      #expect(entry.cursor.client >= cursor.client)
      #expect(entry.cursor.client <= next.download.client)
      #expect(entry.origin != .none)
      #expect(entry.origin != file?.ident)
      cursor = entry.cursor
    }
  }

  /// Reports compensating writes with the entries of their versions.
  private func report(with download: DownloadMessage) {
    let versions = Set(download.entries.map(\.cursor.server))
    told.removeAll { versions.contains($0) }
    #expect(
      told.allSatisfy { $0 > download.progress.download.server },
      "stock clients end at the next entry when that of a version that 231 names was left out")
  }

  private func integrate(_ entries: [DownloadEntry], _ next: SyncProgress) throws {
    for entry in entries {
      try state.apply(
        Changeset(
          decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)))
    }
    progress = next
    clientVersion += 1
  }

  /// The values of one field by the keys of the objects, of those that the file has.
  func values(_ className: String, _ field: String) -> [ObjectKey: ModelValue] {
    (state.objects[className] ?? [:]).compactMapValues { $0[field] }
  }

  /// The keys of the objects that the file has.
  func keys(_ className: String) -> Set<ObjectKey> { Set((state.objects[className] ?? [:]).keys) }
}
