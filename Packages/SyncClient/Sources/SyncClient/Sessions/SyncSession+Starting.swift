import Concurrency
import SyncProtocol

extension SyncSession {
  /// Takes the file's lock and joins the connection; tries again every second while another process has the lock.
  ///
  /// Does nothing while the session is on a connection, on the way to one, suspended, stopped, or being reset.
  func start() {
    guard case .detached = stage, reset.attempt == nil, status.state == .active else { return }
    stage = .opening
    let held = lock
    let file = file
    let known = commitObservation
    work { [weak self] in
      let lock = held ?? file.lockPath.flatMap { ProcessLock(path: $0) }
      let token = try known ?? file.observeCommits { [weak self] newest in self?.noteCommit(newest) }
      return OpenedFile(
        isOurs: lock != nil || file.lockPath == nil, lock: lock, observation: token, state: try file.state())
    } then: { session, result in
      if !session.isClosed { session.stage = .detached }
      switch result {
      case .success(let opened): session.opened(opened)
      case .failure(let error): session.failed(session.failure(error, doing: "open the file"))
      }
    }
  }

  private struct OpenedFile: Sendable {
    /// Whether this process may sync the file.
    var isOurs: Bool
    var lock: ProcessLock?
    var observation: any Sendable
    var state: FileState
  }

  private func opened(_ opened: OpenedFile) {
    guard !isClosed else {
      opened.lock?.unlock()
      return
    }
    lock = opened.lock
    commitObservation = opened.observation
    change { status in
      status.isSyncedElsewhere = !opened.isOurs
      status.count(opened.state.pendingUploads)
    }
    guard status.state == .active, reset.attempt == nil else { return }
    if opened.isOurs { for report in opened.state.reports { give(report) } }
    if opened.isOurs { join(opened.state) } else { waitForOtherProcess(opened.state) }
  }

  private func join(_ state: FileState) {
    let connection = connectionProvider()
    let ident = connection.register(self)
    stage = .joined(connection, ident)
    let setup = SessionSetup(
      path: bindingPath, file: state.file, progress: state.progress, newest: state.newest, uploads: role != .reset,
      query: state.queries?.active)
    connection.handle(.activate(ident, setup))
    queryParts = QueryParts(announced: state.queries?.active.version ?? .zero)
    announce(state.queries)
    for (number, wait) in waits.all where wait.direction == .upload || !park(number, until: state.queries) {
      connection.handle(wait.event(number, of: ident))
    }
    if reconnectsOnJoining { connection.handle(.reconnectNow) }
    reconnectsOnJoining = false
    committed(state.newest)
  }

  /// Another process syncs the file. Its lock ends with it: looks again in a second. Downloads of that process are
  /// here, and nothing says whether the server has more.
  private func waitForOtherProcess(_ state: FileState) {
    if state.progress.latestServerVersion.version != .zero { succeedWaits(.download) }
    scheduler.schedule(after: .seconds(1)) { [weak self] in self?.start() }
  }

  /// Runs `body` in the file's queue and `then` on the loop, unless the session is gone by then.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value,
    then: @escaping @Sendable (SyncSession, Result<Value, any Error>) -> Void
  ) {
    LoopContext(scheduler: scheduler, executor: environment.executor).perform(queue, body) { [weak self] result in
      if let self { then(self, result) }
    }
  }

  /// The failure of work on the file, as the protocol tells it.
  func failure(_ error: any Error, doing task: String) -> SyncFailure {
    SyncFailure(
      origin: .file, code: file.code(for: error), message: "cannot \(task): \(error)", action: .applicationBug,
      isFatal: true)
  }
}
