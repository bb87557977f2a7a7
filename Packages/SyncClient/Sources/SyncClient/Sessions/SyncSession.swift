import ChangesetOT
import Concurrency
import SyncProtocol
import Synchronization
import Telemetry
import Transport

/// Keeps one realm file and one realm on a server in step, across lost connections and restarts.
///
///     let session = user.session(for: url)
///     session.status.summary                       // "connected"
///     try await session.waitForUpload()            // everything committed so far is durable on the server
///
/// Opening a realm with a synced configuration makes its session, and so does ``SyncClient``. All public members may be
/// used from any thread; handlers are called on the client's loop and must return quickly.
public final class SyncSession: @unchecked Sendable {
  // @unchecked Sendable: variables outside of `shared` are touched on the loop only.

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
    /// No connection, and none being made.
    case disconnected
    /// A connection is being made.
    case connecting
    /// Messages flow.
    case connected
  }

  /// The purpose of a session.
  enum Role: Hashable, Sendable {
    /// Syncs a realm of the application.
    ///
    /// - Parameter givesUpEarly: whether waits end with the first error, also with one that may pass by itself.
    case application(givesUpEarly: Bool)
    /// Downloads for a reset, and uploads nothing.
    case reset
  }

  /// The relation of a session to its file and its connection.
  enum Stage {
    /// On no connection: suspended, stopped, being reset, or synced by another process.
    case detached
    /// The file is being opened; the session then joins the connection.
    case opening
    /// Bound to the connection under an ident.
    case joined(SharedConnection, SessionIdent)
    /// Ended for good.
    case closed
  }

  /// State that other threads read and write.
  struct Shared {
    var status = SyncStatus()
    var observers: [Int: @Sendable (SyncStatus) -> Void] = [:]
    var nextObserver = 0
    var errorHandlers: [@Sendable (SyncError, SyncSession) -> Void] = []
    var configuration: SyncConfiguration?
    var whenClosed: (@Sendable (SyncSession) -> Void)?
    var commits = CommitSignal()
    /// Observations that live as long as the session.
    var kept: [SyncToken] = []
  }

  /// The realm on the server.
  public let target: SyncTarget
  let file: any SyncedFile
  let queue: SerialQueue
  let environment: SyncEnvironment
  let logger: Logger
  let role: Role
  let policy: ResetPolicy
  let shared = Mutex(Shared())
  let connectionProvider: @Sendable () -> SharedConnection

  // On the loop only.
  var stage = Stage.detached
  /// Whether joining the connection also ends its back-off: the application asked.
  var reconnectsOnJoining = false
  /// The lock that keeps other processes from syncing the file.
  var lock: ProcessLock?
  /// Keeps the observation of commits.
  var commitObservation: (any Sendable)?
  var counting = PendingCount()
  /// Calls after the next count.
  var afterCount: [@Sendable (SyncSession) -> Void] = []
  var waits = WaitTable()
  var sentChangesets = SentChangesets()
  var downloadEstimate = DownloadEstimate()
  var queryParts = QueryParts()
  var reset: ResetMachine
  var resetParts = ResetParts()

  init(
    file: any SyncedFile, target: SyncTarget, queue: SerialQueue, environment: SyncEnvironment, role: Role,
    policy: ResetPolicy = ResetPolicy(), connectionProvider: @escaping @Sendable () -> SharedConnection
  ) {
    self.role = role
    self.policy = policy
    self.file = file
    self.target = target
    self.queue = queue
    self.environment = environment
    self.connectionProvider = connectionProvider
    let mayReset = role != .reset && file is any ResettableFile
    reset = mayReset ? ResetMachine(way: policy.way) : .never
    logger = environment.logger.child("session", ["realm": .string(target.path)])
  }

  var scheduler: any Scheduler { environment.network.scheduler }

  /// The connection with the session's ident there; nil while the session is on none.
  var membership: (connection: SharedConnection, ident: SessionIdent)? {
    switch stage {
    case .joined(let connection, let ident): (connection, ident)
    case .detached, .opening, .closed: nil
    }
  }

  var connection: SharedConnection? { membership?.connection }

  var isClosed: Bool {
    switch stage {
    case .closed: true
    case .detached, .opening, .joined: false
    }
  }

  /// Connection, activity, transfers and the last error in one value.
  public var status: SyncStatus { shared.withLock { $0.status } }
  /// Whether the session takes part.
  public var state: State { status.state }
  /// Whether there is a connection.
  public var connectionState: ConnectionState { status.connection }
}
