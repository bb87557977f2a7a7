import ChangesetOT
import SyncProtocol
import Telemetry

extension SyncSession {
  /// Takes the file's lock and joins the connection; tries again while another process has the lock.
  func start() {
    guard !isClosed, !isStarting, ident == nil, resetRun == nil, status.state == .active else { return }
    isStarting = true
    let held = lock
    let file = file
    let known = commits
    work { [weak self] in
      Result {
        let lock = held ?? file.lockPath.flatMap { ProcessLock(path: $0) }
        let token = try known ?? file.observeCommits { [weak self] newest in self?.committedSoon(newest) }
        return Opened(isOurs: lock != nil || file.lockPath == nil, lock: lock, commits: token, state: try file.state())
      }
    } then: { session, result in
      session.isStarting = false
      switch result {
      case .success(let opened): session.opened(opened)
      case .failure(let error): session.failed(session.failure(error, doing: "open the file"))
      }
    }
  }

  struct Opened: Sendable {
    /// Whether this process may sync the file.
    var isOurs: Bool
    var lock: ProcessLock?
    var commits: any Sendable
    var state: FileState
  }

  private func opened(_ opened: Opened) {
    guard !isClosed else {
      opened.lock?.unlock()
      return
    }
    lock = opened.lock
    commits = opened.commits
    change { status in
      status.isSyncedElsewhere = !opened.isOurs
      status.pendingUploads = opened.state.pendingUploads
    }
    guard status.state == .active, ident == nil, resetRun == nil else { return }
    if opened.isOurs { join(opened.state) } else { waitForOtherProcess(opened.state) }
  }

  private func join(_ state: FileState) {
    let connection = connectionProvider()
    self.connection = connection
    let ident = connection.activate(
      self,
      SessionSetup(
        path: target.path, file: state.file, progress: state.progress, newest: state.newest, uploads: !isForReset))
    self.ident = ident
    for (wait, what) in waits {
      connection.handle(what.isUpload ? .waitForUploads(ident, wait) : .waitForDownloads(ident, wait))
    }
    if mustReconnect { connection.handle(.reconnectNow) }
    mustReconnect = false
    committed(state.newest)
  }

  /// Another process syncs the file. Look again in a second: its lock ends with it. What that process has downloaded is
  /// here; there is nobody to ask whether the server has more.
  private func waitForOtherProcess(_ state: FileState) {
    if state.progress.latestServerVersion.version != .zero {
      let done = waits.filter { !$0.value.isUpload }
      for (number, wait) in done {
        waits[number] = nil
        wait.completion(.success(()))
      }
    }
    scheduler.schedule(after: .seconds(1)) { [weak self] in self?.start() }
  }

  /// After a commit of any process, on any thread.
  private func committedSoon(_ newest: ClientVersion) {
    // Whoever writes in a row is heard of once for all that is written until the loop gets round to it.
    let isFirst = shared.withLock { shared in
      defer { shared.unheard = max(shared.unheard ?? newest, newest) }
      return shared.unheard == nil && shared.isListening
    }
    guard isFirst else { return }
    scheduler.execute { [weak self] in self?.listen() }
  }

  /// Hears of what was committed, and of what will be. On the loop.
  func listen() {
    let newest = shared.withLock { shared in
      defer { shared.unheard = nil }
      shared.isListening = true
      return shared.unheard
    }
    if let newest { committed(newest) }
  }

  func committed(_ newest: ClientVersion) {
    if let ident, let connection { connection.handle(.localCommit(ident, newest: newest)) }
    recountSoon()
  }

  /// Hears of commits no more until ``listen()``.
  func stopListening() { shared.withLock { $0.isListening = false } }

  /// Counts at once when that decides whether something waits, and soon when it only says how much.
  func recountSoon() {
    guard status.pendingUploads > 0, !status.isSyncedElsewhere else { return recount() }
    guard !willRecount else { return }
    willRecount = true
    scheduler.schedule(after: Self.countPause) { [weak self] in
      self?.willRecount = false
      self?.recount()
    }
  }

  /// How old the number of changes that wait may be while changes go on waiting, from when they are heard of.
  private static let countPause = Duration.milliseconds(100)

  /// Counts what is not acknowledged, in the file's queue, one count at a time; then calls `done`.
  func recount(then done: (@Sendable (SyncSession) -> Void)? = nil) {
    if let done { afterCount.append(done) }
    guard !isCounting else {
      mustRecount = true
      return
    }
    isCounting = true
    let calls = afterCount
    afterCount = []
    let file = file
    work {
      Result { try file.pendingCount() }
    } then: { session, result in
      session.isCounting = false
      if case .success(let count) = result { session.counted(count) }
      for call in calls { call(session) }
      if session.mustRecount {
        session.mustRecount = false
        session.recount()
      }
    }
  }

  private func counted(_ count: Int) {
    if status.pendingUploads != count { change { $0.pendingUploads = count } }
    if count == 0, ident != nil, status.isCaughtUp { resetMemory = ResetPlan.Memory() }
    // What another process sends for us is done when the file says so.
    guard status.isSyncedElsewhere, count == 0 else { return }
    let done = waits.filter { $0.value.isUpload }
    for (number, wait) in done {
      waits[number] = nil
      wait.completion(.success(()))
    }
  }

  /// Runs `body` in the file's queue and `then` on the loop.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Result<Value, any Error>,
    then: @escaping @Sendable (SyncSession, Result<Value, any Error>) -> Void
  ) {
    let scheduler = scheduler
    environment.executor.submit(to: queue) { [weak self] in
      let result = body()
      scheduler.executeNowOrSoon { [weak self] in
        if let self { then(self, result) }
      }
    }
  }

  func failure(_ error: any Error, doing what: String) -> SyncFailure {
    SyncFailure(
      origin: .file, code: file.code(for: error), message: "cannot \(what): \(error)", action: .applicationBug,
      isFatal: true)
  }
}
