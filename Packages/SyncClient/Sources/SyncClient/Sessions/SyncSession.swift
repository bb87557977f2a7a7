import ChangesetOT
import Concurrency
import SyncProtocol
import Synchronization
import Telemetry
import Transport

/// Keeps one realm file and one realm on a server in step, through loss and time.
///
///     let session = user.session(for: url)
///     session.status.summary                       // "connected"
///     try await session.waitForUpload()            // everything committed so far is durable on the server
///
/// Sessions are made by opening a realm with a synced configuration, or by ``SyncClient``. Use them from any thread.
// @unchecked Sendable: variables outside of `shared` are touched on the loop only.
public final class SyncSession: @unchecked Sendable {
  /// Whether a session takes part.
  public enum State: String, Hashable, Sendable {
    /// Connected, or trying to be.
    case active
    /// Suspended by the application.
    case inactive
    /// Stopped by a fatal error; ``reconnect()`` tries again.
    case invalid
    /// The documented name of ``invalid``.
    public static var error: State { .invalid }
  }

  /// Whether there is a connection.
  public enum ConnectionState: String, Hashable, Sendable {
    case disconnected, connecting, connected
  }

  struct Shared {
    var status = SyncStatus()
    var observers: [Int: @Sendable (SyncStatus) -> Void] = [:]
    var nextObserver = 0
    var errorHandlers: [@Sendable (SyncError, SyncSession) -> Void] = []
    var configuration: SyncConfiguration?
    var whenClosed: (@Sendable (SyncSession) -> Void)?
    /// The newest version of which the loop has not heard.
    var unheard: ClientVersion?
    /// Whether commits wake the loop. Not while those before them gather: they go along.
    var isListening = true
    /// Observations that live as long as the session.
    var kept: [SyncToken] = []
  }

  /// What waits for the server.
  struct Wait {
    var isUpload: Bool
    /// Whether the wait ends with the first attempt that reaches no server.
    var isEager = false
    var completion: @Sendable (Result<Void, SyncError>) -> Void
  }

  /// Where the realm is.
  public let target: SyncTarget
  let file: any SyncedFile
  let queue: SerialQueue
  let environment: SyncEnvironment
  let logger: Logger
  let shared = Mutex(Shared())
  let connectionProvider: @Sendable () -> SharedConnection

  // On the loop only.
  var connection: SharedConnection?
  var ident: SessionIdent?
  var lock: ProcessLock?
  var commits: (any Sendable)?
  var isClosed = false
  var isStarting = false
  /// The application asked: a connection that has stopped must try again.
  var mustReconnect = false
  var isCounting = false
  var mustRecount = false
  /// A count will begin soon.
  var willRecount = false
  var afterCount: [@Sendable (SyncSession) -> Void] = []
  var waits: [WaitIdent: Wait] = [:]
  var nextWait: UInt64 = 0
  var sentSizes: [(version: ClientVersion, bytes: Int)] = []
  /// The reset that is under way.
  var resetRun: ResetRun?
  var resetCount: UInt64 = 0
  var resetMemory = ResetPlan.Memory()
  let resets: ResetPolicy
  /// Whether waits end with the first error, be it one that may mend itself.
  let givesUpEarly: Bool
  /// Whether the session only downloads, into a file that a reset takes its state from.
  let isForReset: Bool

  init(
    file: any SyncedFile, target: SyncTarget, queue: SerialQueue, environment: SyncEnvironment,
    resets: ResetPolicy = ResetPolicy(), isForReset: Bool = false, givesUpEarly: Bool = false,
    connectionProvider: @escaping @Sendable () -> SharedConnection
  ) {
    self.resets = resets
    self.givesUpEarly = givesUpEarly
    self.isForReset = isForReset
    self.file = file
    self.target = target
    self.queue = queue
    self.environment = environment
    self.connectionProvider = connectionProvider
    logger = environment.logger.child("session", ["realm": .string(target.path)])
  }

  var scheduler: any Scheduler { environment.network.scheduler }

  // MARK: What applications see

  /// How the session stands.
  public var status: SyncStatus { shared.withLock { $0.status } }
  /// Whether the session takes part.
  public var state: State { status.state }
  /// Whether there is a connection.
  public var connectionState: ConnectionState { status.connection }

  /// Calls `block` with the present status soon, and on every change, on the client's loop: return quickly.
  public func observe(_ block: @escaping @Sendable (SyncStatus) -> Void) -> SyncToken {
    let number = shared.withLock { shared in
      shared.nextObserver += 1
      shared.observers[shared.nextObserver] = block
      return shared.nextObserver
    }
    scheduler.execute { [weak self] in
      guard let self else { return }
      let (block, status) = shared.withLock { ($0.observers[number], $0.status) }
      block?(status)
    }
    return SyncToken { [weak self] in _ = self?.shared.withLock { $0.observers.removeValue(forKey: number) } }
  }

  /// Calls `block` with the present connection state soon, and whenever it changes, on the client's loop.
  public func observeConnectionState(_ block: @escaping @Sendable (ConnectionState) -> Void) -> SyncToken {
    let last = Mutex<ConnectionState?>(nil)
    return observe { status in
      let isNew = last.withLock { last in
        defer { last = status.connection }
        return last != status.connection
      }
      if isNew { block(status.connection) }
    }
  }

  /// Adds a handler for what goes wrong; called on the client's loop. What mends itself within the back-off is only in ``status``.
  public func onError(_ handler: @escaping @Sendable (SyncError, SyncSession) -> Void) {
    shared.withLock { $0.errorHandlers.append(handler) }
  }

  /// Keeps an observation as long as the session lives.
  func keep(_ token: SyncToken?) {
    if let token { shared.withLock { $0.kept.append(token) } }
  }

  /// Stops syncing until ``resume()``: the way to work offline on purpose.
  public func suspend() {
    scheduler.execute { [self] in
      guard status.state != .inactive, !isClosed else { return }
      change { $0.state = .inactive }
      cancelReset()
      deactivate()
    }
  }

  /// Syncs again after ``suspend()`` or a fatal error. Does nothing while active.
  public func resume() {
    scheduler.execute { [self] in
      guard status.state != .active, !isClosed else { return }
      change { status in
        status.state = .active
        status.lastError = nil
      }
      deactivate()
      mustReconnect = true
      start()
    }
  }

  /// Tries now instead of waiting for the back-off.
  public func reconnect() {
    scheduler.execute { [self] in
      if status.state == .invalid { return resume() }
      endResetDelay()
      resetRun?.child?.reconnect()
      connection?.handle(.reconnectNow)
      connection?.handle(.checkLiveness)
    }
  }

  /// Says who wants to know that the session has ended for good.
  func whenClosed(_ handler: @escaping @Sendable (SyncSession) -> Void) {
    shared.withLock { $0.whenClosed = handler }
  }

  /// Ends the session for good; the file stays. Opening the realm again begins another one.
  public func close() {
    let handler = shared.withLock { shared in
      defer { shared.whenClosed = nil }
      return shared.whenClosed
    }
    handler?(self)
    scheduler.execute { [self] in
      guard !isClosed else { return }
      isClosed = true
      change { $0.state = .inactive }
      cancelReset()
      deactivate()
      commits = nil
      // Work that is under way must be done before another process may sync the file.
      if let lock { environment.executor.submit(to: queue) { lock.unlock() } }
      lock = nil
      failWaits(
        SyncError(.clientSessionError, "the session was closed", remedy: "open the realm again", isFatal: true))
    }
  }

  // MARK: On the loop

  /// Changes the status and tells the observers, if it differs for them.
  func change(_ edit: (inout SyncStatus) -> Void) {
    let (status, observers) = shared.withLock { shared in
      edit(&shared.status)
      return (shared.status, Array(shared.observers.values))
    }
    for observer in observers { observer(status) }
  }

  func connectionChanged(_ state: ClientConnection.ConnectionState) {
    change { $0.connection = ConnectionState(rawValue: state.rawValue) ?? .disconnected }
  }

  /// Leaves the connection.
  func deactivate() {
    guard let ident, let connection else { return }
    self.ident = nil
    self.connection = nil
    connection.handle(.deactivate(ident))
    // The connection tells this session nothing any more.
    listen()
    change { status in
      status.connection = .disconnected
      status.isCaughtUp = false
    }
  }
}
