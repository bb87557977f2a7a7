import ChangesetOT
import Concurrency
import Permissions
import SyncProtocol
import Telemetry

extension RealmSequencer {
  /// Queues a request of a session; the answer is delivered as an event. On the loop.
  func request(_ request: RealmRequest, by ident: MemberIdent) {
    guard let member = members[ident] else { return }
    var request = request
    switch request {
    case .integrate(var batch):
      if member.level < .write { (batch.hasNoEffect, batch.accessRule) = (true, member.rule) }
      batch.access = member.access
      request = .integrate(batch)
    case .scan(var wanted):
      wanted.access = member.access
      request = .scan(wanted)
      members[ident]?.nextScan = wanted
      if let ready = prepared.removeValue(forKey: ident), ready.request == wanted {
        for warning in ready.warnings { deliver(.sessionWarned(ident.session, warning), to: ident) }
        return deliver(.historyScanned(ident.session, ready.scan), to: ident)
      }
      members[ident]?.isScanning = true
    case .open, .allocateFile, .findFile: break
    }
    waiting.append(RealmJob.Item(member: ident, request: request))
    runIfPossible()
  }

  func runIfPossible() {
    guard !isWorking, !isDelivering else { return }
    let job = takeJob()
    guard !job.items.isEmpty || !job.tasks.isEmpty else {
      if isOpen { didBecomeIdle?() }
      let completions = whenIdle
      whenIdle = []
      for (number, completion) in completions.enumerated() {
        // One of them may have begun something.
        guard isIdle else {
          whenIdle = completions[number...] + whenIdle
          break
        }
        completion()
      }
      return
    }
    isWorking = true
    let (clock, path, isNew, stores, suspended) = (context.scheduler, path, isNew, stores, suspended)
    let existing: (any HistoryStore)? =
      switch stage {
      case .open(let store): store
      case .closed: nil
      }
    let (executor, didWork) = (context.executor, didWork)
    context.perform(attributes(of: job)) { () throws(ServerError) -> ((any HistoryStore), RealmJob.Outcome) in
      let start = didWork.map { _ in executor.processorTime } ?? .zero
      defer { didWork?(executor.processorTime - start) }
      if let existing { return (existing, job.run(on: existing, clock: clock)) }
      let store = try Self.open(path, isNew: isNew, stores, suspended)
      return (store, job.run(on: store, clock: clock))
    } then: { [self] result in
      finish(job, result)
    }
  }

  /// Charges a job to the authors of its uploads; without uploads, to the users who request something.
  private func attributes(of job: RealmJob) -> JobAttributes {
    let uploads = job.items.filter(\.request.isUpload)
    let payers = Set((uploads.isEmpty ? job.items : uploads).compactMap { members[$0.member]?.subject.user.rawValue })
      .union(job.tasks.map(\.payer))
    return JobAttributes(queue, payers: payers.sorted(), bytes: uploads.reduce(0) { $0 + $1.request.uploadBytes })
  }

  /// Opens the files for something else than a job. Requires that the sequencer is idle and the files are closed.
  func openFiles(_ attributes: JobAttributes, then completion: @escaping @Sendable (ServerError?) -> Void) {
    isWorking = true
    let (path, isNew, stores, suspended) = (path, isNew, stores, suspended)
    context.perform(attributes) { () throws(ServerError) -> any HistoryStore in
      try Self.open(path, isNew: isNew, stores, suspended)
    } then: { [self] result in
      isWorking = false
      switch result {
      case .failure(let error):
        watchNobody()
        didFail?()
        completion(error)
      case .success(let store):
        keepOpen(store)
        completion(nil)
      }
      runIfPossible()
    }
  }

  private func keepOpen(_ store: any HistoryStore) {
    let wasOpen = isOpen
    stage = .open(store)
    guard !wasOpen else { return }
    metrics.openRealms.add(1)
    observeCommits()
    didOpen?()
  }

  private static func open(
    _ path: Permissions.RealmPath, isNew: Bool, _ stores: any HistoryStores, _ suspended: SuspendedWatch
  ) throws(ServerError) -> any HistoryStore {
    do {
      let store = try stores.open(path, isNew: isNew)
      if let views = suspended.take() { try store.resumeViews(views) }
      return store
    } catch {
      throw ServerError(
        .realmFailure, "the realm \(path) cannot be opened",
        remedy: "check the disk, or restore the realm from a backup", cause: error)
    }
  }

  /// Takes all waiting requests into a job, but of the uploads no more than fit a group commit.
  private func takeJob() -> RealmJob {
    let present = waiting.filter { members[$0.member] != nil }
    waiting = []
    let uploads = present.indices.filter { present[$0].request.isUpload }
    let choice = UploadSelection(byteLimit: groupCommitBytes).choose(
      uploads.map { index in
        let item = present[index]
        return UploadSelection.Upload(
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
    defer { (departed, tasks) = ([], []) }
    return RealmJob(items: taken, tasks: tasks, departed: departed, expected: expectedScans(after: taken))
  }

  /// The scans that sessions will request when the uploads among `items` are integrated: those of their authors, and of the
  /// sessions that are told of every commit.
  ///
  /// - Complexity: O(*n* log *n*) in these sessions.
  private func expectedScans(
    after items: [RealmJob.Item]
  ) -> [(member: MemberIdent, request: DownloadScanRequest)] {
    let authors = Set(items.lazy.filter(\.request.isUpload).map(\.member))
    guard !authors.isEmpty else { return [] }
    let changesets = items.reduce(0) { $0 + $1.request.uploadCount }
    let isDelayed = notificationBatcher.delays(changesets, at: context.scheduler.now)
    let readers = isDelayed ? authors : authors.union(toldAlways)
    return readers.sorted { $0.precedes($1) }.compactMap { ident in
      guard let member = members[ident], let next = member.nextScan, !member.isScanning else { return nil }
      return (ident, next)
    }
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
      for task in job.tasks { task.completion(error) }
      watchNobody()
      didFail?()
    case .success((let store, let outcome)):
      keepOpen(store)
      for task in job.tasks { task.completion(nil) }
      deliver(outcome)
      if let failure = outcome.failure {
        logger.error("a realm failed", ["path": .string(path.description), "reason": LogValue("\(failure)")])
        close()
        didFail?()
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
    if let feed = outcome.feed { count(feed) }
    for (ident, warning) in outcome.undone { logUndone(warning, by: members[ident]?.subject.user) }
    for (ident, batch, failure) in outcome.bad { quarantine(batch, of: members[ident]?.subject.user, failure) }
    prepared = outcome.prepared
    defer { dropPrepared() }
    markUnseenHistory(of: outcome)
    for (member, event) in outcome.answers { deliver(event, to: member) }
    markUnseenScans(of: outcome)
    notify(of: outcome)
  }

  /// Passes an event on, and records where a scan stopped.
  private func deliver(_ event: ServerConnection.Event, to ident: MemberIdent) {
    switch event {
    case .historyScanned(_, let scan):
      if scan.reachedEnd { unseen.remove(ident) }
      scanned(scan, ident)
    case .queryRefused:
      members[ident]?.isScanning = false
      members[ident]?.nextScan = nil
      tellAlways(ident)
    case .sessionFailed: tellAlways(ident)
    case .received, .malformed, .receivedOversized, .receivedText, .disconnected, .congested, .drained, .timerEnded,
      .realmOpened, .fileIdentAllocated, .clientFileFound, .historyAdvanced, .uploadIntegrated, .sessionWarned,
      .displaced, .tokenExpired, .userRefused, .shutDown:
      break
    }
    members[ident]?.deliver(event)
  }
}
