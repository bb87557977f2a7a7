import ChangesetOT
import Concurrency
import Permissions
import SyncProtocol
import Telemetry
import Transport

/// One realm that is in use: its sessions, and the one sequence in which its files are read and written.
///
/// What sessions ask for while a job runs waits, and goes into the next job together: so uploads of many sessions share one
/// durable commit. An upload is answered only after that commit; then the other sessions hear that the history grew.
// @unchecked Sendable: its variables are touched on the loop only; the store on the worker that runs the job.
final class RealmSequencer: @unchecked Sendable {
  enum Stage {
    case closed
    case open(any HistoryStore)
  }

  let path: Permissions.RealmPath
  let queue: SerialQueue
  /// Whether there was no realm at the path before.
  private let isNew: Bool
  private let stores: any HistoryStores
  let context: LoopContext
  let metrics: ServerMetrics
  let logger: Logger
  private let groupCommitBytes: Int
  /// Where uploads go that cannot be integrated.
  var quarantinePlace: (any Quarantine)?

  private var stage = Stage.closed
  var members: [MemberIdent: RealmMember] = [:]
  /// The identified sessions by their client files.
  private var membersByFile: [FileIdent: Set<MemberIdent>] = [:]
  private var waiting: [RealmJob.Item] = []
  private var isWorking = false
  private var isDelivering = false
  var newsPause = NewsPause()
  /// Scans that were made ahead by the job whose outcome is being delivered.
  private var prepared: [MemberIdent: (request: DownloadScanRequest, scan: DownloadScan)] = [:]
  /// Closings of the files that are under way.
  private var closings = 0
  private var whenIdle: [@Sendable () -> Void] = []
  /// Called when all that was asked for is done and the files are open.
  var didRest: (@Sendable () -> Void)?
  /// Counts the times somebody joined, so that a stale idle timer is recognised.
  private(set) var useCount: UInt64 = 0

  init(
    path: Permissions.RealmPath, isNew: Bool, queue: SerialQueue, stores: any HistoryStores, context: LoopContext,
    metrics: ServerMetrics,
    logger: Logger, groupCommitBytes: Int
  ) {
    self.path = path
    self.isNew = isNew
    self.queue = queue
    self.stores = stores
    self.context = context
    self.metrics = metrics
    self.logger = logger
    self.groupCommitBytes = groupCommitBytes
  }

  var isIdle: Bool { members.isEmpty && isResting }
  /// Whether nothing is asked for and nothing under way.
  var isResting: Bool { waiting.isEmpty && !isWorking }
  var isOpen: Bool { if case .open = stage { true } else { false } }
  /// Whether a client is in the middle of something that would have to begin anew if the files were closed.
  var hasUnfinishedWork: Bool { if case .open(let store) = stage { store.hasUnfinishedWork } else { false } }

  // MARK: Sessions

  func join(_ ident: MemberIdent, _ member: RealmMember) {
    members[ident] = member
    useCount += 1
  }

  /// Forgets a session. What it still waits for is dropped when its turn comes.
  ///
  /// - Complexity: O(1), however much waits.
  func leave(_ ident: MemberIdent) {
    guard let member = members.removeValue(forKey: ident) else { return }
    if let file = member.file { forget(ident, as: file) }
    guard members.isEmpty else { return }
    waiting = []
  }

  private func forget(_ ident: MemberIdent, as file: FileIdent) {
    membersByFile[file]?.remove(ident)
    if membersByFile[file]?.isEmpty ?? false { membersByFile[file] = nil }
  }

  /// From now on the session hears of news. Others with the same client file are leftovers.
  ///
  /// - Complexity: O(sessions with the same client file).
  func identify(_ ident: MemberIdent, as file: FileIdent) {
    guard let member = members[ident] else { return }
    if let former = member.file { forget(ident, as: former) }
    members[ident]?.file = file
    let others = membersByFile[file, default: []].sorted { $0.precedes($1) }
    membersByFile[file, default: []].insert(ident)
    for other in others where other != ident { members[other]?.deliver(.displaced(other.session)) }
  }

  func setLevel(_ level: AccessLevel, of ident: MemberIdent) { members[ident]?.level = level }

  /// The sessions in the order of their connections: a dictionary's order is not repeatable.
  func ordered() -> [(MemberIdent, RealmMember)] {
    members.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) }
  }

  // MARK: Work

  /// Queues a request of a session. The answer comes as an event.
  func request(_ request: RealmRequest, by ident: MemberIdent) {
    guard let member = members[ident] else { return }
    var request = request
    if case .integrate(var batch) = request, member.level < .write {
      batch.hasNoEffect = true
      request = .integrate(batch)
    }
    if case .scan(let wanted) = request {
      members[ident]?.nextScan = wanted
      if let ready = prepared.removeValue(forKey: ident), ready.request == wanted {
        return deliver(.historyScanned(ident.session, ready.scan), to: ident)
      }
      members[ident]?.isScanning = true
    }
    waiting.append(RealmJob.Item(member: ident, request: request))
    runIfPossible()
  }

  /// Calls `completion` when nothing is under way. New requests delay it.
  func afterWork(_ completion: @escaping @Sendable () -> Void) {
    guard isWorking || !waiting.isEmpty else { return completion() }
    whenIdle.append(completion)
  }

  /// Closes the files on the worker. Only when nothing is under way.
  ///
  /// - Parameter completion: called when they are closed, also by a call before this one.
  func close(_ completion: @escaping @Sendable () -> Void = {}) {
    guard case .open(let store) = stage else {
      guard closings > 0 else { return completion() }
      return context.perform(queue) {
      } then: { _ in
        completion()
      }
    }
    stage = .closed
    closings += 1
    metrics.openRealms.add(-1)
    context.perform(queue) {
      store.close()
    } then: { [self] _ in
      closings -= 1
      completion()
    }
  }

  /// Closes the files while sessions stay: the next request opens them again.
  ///
  /// - Returns: false when they are in use, or a client is in the middle of something that would have to begin anew.
  func closeWhileResting() -> Bool {
    guard isResting, case .open(let store) = stage else { return false }
    guard !store.hasUnfinishedWork else { return false }
    close()
    return true
  }

  private func runIfPossible() {
    guard !isWorking, !isDelivering else { return }
    let job = takeJob()
    guard !job.items.isEmpty else {
      if isOpen { didRest?() }
      let completions = whenIdle
      whenIdle = []
      for completion in completions { completion() }
      return
    }
    isWorking = true
    let (clock, path, isNew, stores) = (context.scheduler, path, isNew, stores)
    let existing: (any HistoryStore)? = if case .open(let store) = stage { store } else { nil }
    context.perform(attributes(of: job)) { () throws(ServerError) -> ((any HistoryStore), RealmJob.Outcome) in
      if let existing { return (existing, job.run(on: existing, clock: clock)) }
      let store = try Self.open(path, isNew: isNew, stores)
      return (store, job.run(on: store, clock: clock))
    } then: { [self] result in
      finish(job, result)
    }
  }

  /// Who pays for a job: the authors of its uploads, or else those who ask.
  private func attributes(of job: RealmJob) -> JobAttributes {
    let uploads = job.items.filter(\.request.isUpload)
    let payers = Set((uploads.isEmpty ? job.items : uploads).compactMap { members[$0.member]?.subject.user.rawValue })
    return JobAttributes(queue, payers: payers.sorted(), bytes: uploads.reduce(0) { $0 + $1.request.uploadBytes })
  }

  private static func open(
    _ path: Permissions.RealmPath, isNew: Bool, _ stores: any HistoryStores
  ) throws(ServerError) -> any HistoryStore {
    do {
      return try stores.open(path, isNew: isNew)
    } catch {
      throw ServerError(
        .realmFailure, "the realm \(path) cannot be opened",
        remedy: "check the disk, or restore the realm from a backup",
        cause: error)
    }
  }

  /// Passes an event on, and remembers where a scan stopped.
  private func deliver(_ event: ServerConnection.Event, to ident: MemberIdent) {
    if case .historyScanned(_, let scan) = event {
      members[ident]?.isScanning = false
      if scan.reachedEnd { members[ident]?.isUntold = false }
      members[ident]?.nextScan?.from = scan.progress.download
    }
    members[ident]?.deliver(event)
  }

  /// Everything that waits, but of the uploads no more than fit a group commit.
  private func takeJob() -> RealmJob {
    let present = waiting.filter { members[$0.member] != nil }
    waiting = []
    let uploads = present.indices.filter { present[$0].request.isUpload }
    let choice = GroupCommit(byteLimit: groupCommitBytes).choose(
      uploads.map { index in
        let item = present[index]
        return GroupCommit.Upload(
          user: members[item.member]?.subject.user.rawValue ?? "", bytes: item.request.uploadBytes,
          wasPassed: item.wasPassed)
      })
    let chosen = Set(choice.taken.map { uploads[$0] })
    let passed = Set(choice.passed.map { uploads[$0] })
    var taken: [RealmJob.Item] = []
    for (index, item) in present.enumerated() {
      if !item.request.isUpload || chosen.contains(index) {
        taken.append(item)
      } else {
        waiting.append(RealmJob.Item(member: item.member, request: item.request, wasPassed: passed.contains(index)))
      }
    }
    var job = RealmJob(items: taken)
    if taken.contains(where: \.request.isUpload) {
      let changesets = taken.reduce(0) { $0 + $1.request.uploadCount }
      let isHeld = newsPause.holds(changesets, at: context.scheduler.now)
      let authors = Set(taken.lazy.filter(\.request.isUpload).map(\.member))
      job.expected = ordered().compactMap { ident, member in
        if isHeld, !authors.contains(ident) { return nil }
        guard let next = member.nextScan, !member.isScanning else { return nil }
        return (ident, next)
      }
    }
    return job
  }

  private func finish(_ job: RealmJob, _ result: Result<(any HistoryStore, RealmJob.Outcome), ServerError>) {
    isWorking = false
    isDelivering = true
    switch result {
    case .failure(let error):
      logger.error("a realm cannot be opened", ["path": .string(path.description), "reason": LogValue("\(error)")])
      for item in job.items {
        members[item.member]?.deliver(.sessionFailed(item.member.session, RealmJob.storageFailure))
      }
    case .success((let store, let outcome)):
      if case .closed = stage { metrics.openRealms.add(1) }
      stage = .open(store)
      deliver(outcome)
      if let failure = outcome.failure {
        logger.error("a realm failed", ["path": .string(path.description), "reason": LogValue("\(failure)")])
        close()
      }
    }
    isDelivering = false
    runIfPossible()
  }

  private func deliver(_ outcome: RealmJob.Outcome) {
    if outcome.integratedChangesets > 0 || outcome.rejectedBatches > 0 {
      metrics.commits.increment()
      metrics.changesets.increment(by: UInt64(outcome.integratedChangesets))
      metrics.rejectedBatches.increment(by: UInt64(outcome.rejectedBatches))
      metrics.commitSeconds.observe(outcome.commitTime)
      metrics.commitBatches.observe(Double(outcome.authors.count))
    }
    for (ident, warning) in outcome.undone { logUndone(warning, by: members[ident]?.subject.user) }
    for (ident, batch, failure) in outcome.bad { quarantine(batch, of: members[ident]?.subject.user, failure) }
    prepared = outcome.prepared
    defer { prepared = [:] }
    noteUntold(of: outcome)
    for (member, event) in outcome.answers { deliver(event, to: member) }
    tell(of: outcome)
  }
}
