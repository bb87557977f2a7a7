import ChangesetOT
import struct RecordStore.TrimmedHistoryError
import Permissions
import SyncProtocol
import Telemetry

/// Everything that waits for one realm, done in one go on a worker: uploads of many sessions in one group commit, then reads.
struct RealmJob: Sendable {
  struct Item: Sendable {
    var member: MemberIdent
    var request: RealmRequest
    /// Whether it is an upload that the commit before left out.
    var wasPassed = false
  }

  var items: [Item]
  /// What the sessions will ask for when the uploads have changed the history: answered in the same go, so that news need no
  /// second trip to the worker.
  var expected: [(member: MemberIdent, request: DownloadScanRequest)] = []

  /// What came of a job.
  struct Outcome: Sendable {
    /// The answers, in the order of delivery: uploads first, so that acknowledgements are not behind reads.
    var answers: [(member: MemberIdent, event: ServerConnection.Event)] = []
    /// Who uploaded changesets that are now part of the history.
    var authors: Set<MemberIdent> = []
    var integratedChangesets = 0
    var rejectedBatches = 0
    /// Uploads with changesets that no server could integrate: to be kept for somebody to look at.
    var bad: [(member: MemberIdent, batch: UploadBatch, failure: SessionFailure)] = []
    /// Uploads of users who may only read that were undone, with what their authors are told.
    var undone: [(member: MemberIdent, warning: SessionFailure)] = []
    var commitTime: Duration = .zero
    /// Scans made ahead of their requests, valid until the next job.
    var prepared: [MemberIdent: (request: DownloadScanRequest, scan: DownloadScan)] = [:]
    /// Why the files cannot be used any more.
    var failure: ServerError?
  }

  /// Does the work. A thrown error of the store fails the sessions concerned and is reported once.
  func run(on store: any HistoryStore, clock: any MonotonicClock) -> Outcome {
    var outcome = Outcome()
    do {
      try integrate(on: store, clock: clock, into: &outcome)
      var scans = SharedScans()
      for item in items where !item.request.isUpload {
        let answer: ServerConnection.Event
        do { answer = try Self.answer(item, store, &scans) } catch let error as TrimmedHistoryError {
          answer = .sessionFailed(item.member.session, try Self.failure(error, item, store))
        }
        outcome.answers.append((item.member, answer))
      }
      guard !outcome.authors.isEmpty else { return outcome }
      for (member, request) in expected {
        // Who has fallen behind what is kept hears of it when asking.
        do { outcome.prepared[member] = (request, try scans.scan(request, on: store)) } catch is TrimmedHistoryError {}
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
      if case .integrate(let batch) = item.request { uploads.append((item.member, batch)) }
    }
    guard !uploads.isEmpty else { return }
    let start = clock.now
    let failures = try store.integrate(uploads.map(\.batch))
    outcome.commitTime = clock.now - start
    for (index, upload) in uploads.enumerated() {
      let key = upload.member.session
      if index < failures.count, let warning = failures[index], warning.code == .compensatingWrite {
        // Before the download that undoes it, so that the author hears of it as soon as that is there.
        outcome.undone.append((upload.member, warning))
        outcome.answers.append((upload.member, .sessionWarned(key, warning)))
      } else if index < failures.count, var failure = failures[index] {
        outcome.rejectedBatches += 1
        if failure.code == .badChangeset || failure.code == .badOriginFileIdent || failure.code == .invalidSchemaChange
        {
          outcome.bad.append((upload.member, upload.batch, failure))
        }
        // A client that resets itself must know which of its changes are here: it may not have heard of the latest.
        failure.details.integratedClientVersion = try store.clientFile(upload.batch.file)?.upload.client
        outcome.answers.append((upload.member, .sessionFailed(key, failure)))
        continue
      }
      outcome.integratedChangesets += upload.batch.entries.count
      if !upload.batch.entries.isEmpty { outcome.authors.insert(upload.member) }
      outcome.answers.append((upload.member, .uploadIntegrated(key, bytes: upload.batch.weight)))
    }
  }

  /// What an IDENT is judged by. An ident that its client has to give up is given up before the client hears of it: in the
  /// order of the jobs, what the answer does not count as integrated never will be.
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

  private static func answer(
    _ item: Item, _ store: any HistoryStore, _ scans: inout SharedScans
  ) throws -> ServerConnection.Event {
    let key = item.member.session
    switch item.request {
    case .open: return .realmOpened(key)
    case .allocateFile: return .fileIdentAllocated(key, try store.allocateClientFile())
    case .findFile(let claim):
      let found = try Self.find(claim, store)
      return .clientFileFound(key, found.record, found.history)
    case .scan(let request): return .historyScanned(key, try scans.scan(request, on: store))
    case .integrate: preconditionFailure("uploads are integrated before")
    }
  }
}
