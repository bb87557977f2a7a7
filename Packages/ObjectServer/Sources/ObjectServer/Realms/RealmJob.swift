import ChangesetOT
import struct RecordStore.TrimmedHistoryError
import Permissions
import SyncProtocol
import Telemetry

/// All waiting requests for one realm, performed as one job: uploads of many sessions in one group commit, then reads.
struct RealmJob: Sendable {
  struct Item: Sendable {
    var member: MemberIdent
    var request: RealmRequest
    /// Whether the item is an upload that the commit before left out.
    var wasPassed = false
  }

  var items: [Item]
  /// Work of others than sessions, done before the uploads.
  var tasks: [RealmTask] = []
  /// Files whose sessions began or ended: the store forgets that they watch.
  var departed: Set<FileIdent> = []
  /// The scans that sessions will request when the uploads changed the history. They are answered in the same job, which
  /// saves a second one.
  var expected: [(member: MemberIdent, request: DownloadScanRequest)] = []

  /// A scan that was made in advance of its request.
  struct PreparedScan: Sendable {
    var request: DownloadScanRequest
    var scan: DownloadScan
    /// The warnings that the client is sent before it.
    var warnings: [SessionFailure]
  }

  /// The results of a job.
  struct Outcome: Sendable {
    /// The answers in the order of delivery: uploads first, so that no acknowledgement waits for a read.
    var answers: [(member: MemberIdent, event: ServerConnection.Event)] = []
    /// The sessions whose uploaded changesets are part of the history now.
    var authors: Set<MemberIdent> = []
    /// Whether uploads may be committed of which nothing is known, because the commit of others behind them failed.
    var isUncertain = false
    /// The clients with queries, among those that watch, that the uploads may concern.
    var audience = ViewAudience.files([])
    /// The clients that watch and may be concerned by what scans and tasks wrote; nil when they wrote nothing.
    var scanAudience: ViewAudience?
    var integratedChangesets = 0
    var rejectedBatches = 0
    /// Uploads with changesets that no server could integrate: for the quarantine.
    var bad: [(member: MemberIdent, batch: UploadBatch, failure: SessionFailure)] = []
    /// Uploads with undone writes, with the warnings for their authors: for the log.
    var undone: [(member: MemberIdent, warning: SessionFailure)] = []
    var commitTime: Duration = .zero
    /// The consumers of the commits; nil for a job without uploads.
    var feed: FeedLoad?
    /// Scans made in advance of their requests, valid until the next job, with the warnings before them.
    var prepared: [MemberIdent: PreparedScan] = [:]
    /// The error after which the files cannot be used any more.
    var failure: ServerError?
  }

  /// Performs the job. An error of the store fails the sessions that were not answered and is reported once. Blocks; in the
  /// realm's queue.
  ///
  /// - Complexity: that of the group commit and of one scan per distinct range.
  func run(on store: any HistoryStore, clock: any MonotonicClock) -> Outcome {
    var outcome = Outcome()
    do {
      for file in departed { store.forgetViewWatcher(file) }
      // Not short-circuited: every task is done.
      let wrote = tasks.reduce(false) { wrote, task in task.work(store) || wrote }
      let audience = wrote ? try store.takeTaskAudience() : nil
      if wrote { outcome.feed = store.feedLoad }
      try integrate(on: store, clock: clock, into: &outcome)
      var scans = ScanCache()
      for item in items where !item.request.isUpload {
        var answers: [ServerConnection.Event] = []
        do { answers = try Self.answers(item, store, &scans) } catch let error as TrimmedHistoryError {
          answers = [.sessionFailed(item.member.session, try Self.failure(error, item, store))]
        } catch let failure as SessionFailure {
          answers = [.sessionFailed(item.member.session, failure)]
        } catch let refusal as QueryRefusal {
          answers = [.queryRefused(item.member.session, refusal.query, message: refusal.message)]
        }
        for answer in answers { outcome.answers.append((item.member, answer)) }
      }
      outcome.scanAudience = try store.takeScanAudience()
      if let audience { outcome.scanAudience = outcome.scanAudience.map { audience.union($0) } ?? audience }
      guard !outcome.authors.isEmpty else { return outcome }
      for (member, request) in expected {
        // A client that is behind the trimmed history, whose queries do not fit any more, or whose session has to end gets its
        // error when it asks.
        do {
          var scan = try scans.scan(request, on: store)
          let warnings = try store.warnings(of: &scan, for: request)
          outcome.prepared[member] = PreparedScan(request: request, scan: scan, warnings: warnings)
        } catch is TrimmedHistoryError {} catch is QueryRefusal {} catch is SessionFailure {}
      }
    } catch {
      outcome.failure = ServerError(
        .realmFailure, "the files of a realm cannot be read or written", remedy: "check the disk and its free space",
        cause: error)
      var answered = Set(outcome.answers.map(\.member))
      for item in items where answered.insert(item.member).inserted {
        outcome.answers.append((item.member, .sessionFailed(item.member.session, Self.storageFailure)))
      }
    }
    return outcome
  }

  private static func failure(
    _ error: TrimmedHistoryError, _ item: Item, _ store: any HistoryStore
  ) throws -> SessionFailure {
    var failure = SessionFailure(.clientFileExpired, "\(error); the client must start anew")
    if case .scan(let request) = item.request {
      failure.details.integratedClientVersion = try store.clientFile(request.file)?.upload.client
      failure.details.untold = try untold(request.file, store)
    }
    return failure
  }

  static let storageFailure = SessionFailure(
    .sessionClosed, "the server could not read or write the realm; it will be tried again", tryAgain: true)

  private func integrate(
    on store: any HistoryStore, clock: any MonotonicClock, into outcome: inout Outcome
  ) throws {
    var uploads: [(member: MemberIdent, batch: UploadBatch)] = []
    for item in items {
      if let batch = item.request.upload { uploads.append((item.member, batch)) }
    }
    guard !uploads.isEmpty else { return }
    let start = clock.now
    defer { outcome.commitTime = clock.now - start }
    outcome.isUncertain = true
    let failures = try store.integrate(uploads.map(\.batch))
    outcome.feed = store.feedLoad
    outcome.audience = try store.takeViewAudience()
    outcome.isUncertain = false
    for (index, upload) in uploads.enumerated() {
      let key = upload.member.session
      if index < failures.count, let warning = failures[index], warning.code == .compensatingWrite {
        // The author gets the explanation with the scan that undoes the upload.
        outcome.undone.append((upload.member, warning))
      } else if index < failures.count, var failure = failures[index] {
        outcome.rejectedBatches += 1
        if failure.code == .badChangeset || failure.code == .badOriginFileIdent || failure.code == .invalidSchemaChange
        {
          outcome.bad.append((upload.member, upload.batch, failure))
        }
        // A client that resets itself must know which of its changes are integrated: it may have missed the last answer.
        failure.details.integratedClientVersion = try store.clientFile(upload.batch.file)?.upload.client
        outcome.answers.append((upload.member, .sessionFailed(key, failure)))
        continue
      }
      outcome.integratedChangesets += upload.batch.entries.count
      if !upload.batch.entries.isEmpty { outcome.authors.insert(upload.member) }
      outcome.answers.append((upload.member, .uploadIntegrated(key, bytes: upload.batch.weight)))
    }
  }

  /// The client file and the history that an IDENT message is verified against. An ident that the client has to give up is
  /// retired before the client is told: whatever the answer does not count as integrated never will be.
  ///
  /// - Throws: the errors of the store.
  private static func untold(_ ident: FileIdent, _ store: any HistoryStore) throws -> [CompensatingWrite] {
    try store.untoldWarnings(of: ident).compactMap(\.details.compensation)
  }

  static func find(
    _ claim: ClientIdentMessage, _ store: any HistoryStore
  ) throws -> (record: ClientFileRecord?, history: ServerHistoryState) {
    let record = try store.clientFile(claim.file.ident)
    let history = try store.state(claiming: claim.latestServerVersion.version)
    if IdentVerification.isGivenUp(claim: claim, record: record, history: history) {
      try store.retire(claim.file.ident)
    }
    return (record, history)
  }

  /// - Throws: the errors of the store; `TrimmedHistoryError`, ``SessionFailure`` and `QueryRefusal` concern one session.
  private static func answers(
    _ item: Item, _ store: any HistoryStore, _ scans: inout ScanCache
  ) throws -> [ServerConnection.Event] {
    let key = item.member.session
    switch item.request {
    case .open: return [.realmOpened(key)]
    case .allocateFile: return [.fileIdentAllocated(key, try store.allocateClientFile())]
    case .findFile(let claim):
      let found = try Self.find(claim, store)
      return [.clientFileFound(key, found.record, found.history, untold: try untold(claim.file.ident, store))]
    case .scan(let request):
      var scan = try scans.scan(request, on: store)
      let warnings = try store.warnings(of: &scan, for: request)
      return warnings.map { .sessionWarned(key, $0) } + [.historyScanned(key, scan)]
    case .integrate: preconditionFailure("uploads are integrated before")
    }
  }
}
