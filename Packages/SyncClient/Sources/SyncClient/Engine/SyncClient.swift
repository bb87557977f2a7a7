import Concurrency
import Synchronization
import SyncProtocol
import Telemetry
import Transport

/// Keeps realm files and servers in step: the owner of connections and sessions in one process.
///
///     let client = SyncClient(SyncEnvironment(network: network))
///     let session = client.open(file, at: target, tokens: tokens)
///
/// Sessions of one user on one server share a connection. Sessions run as long as the client lives. Safe from any
/// thread; everything inside happens on the loop of the environment, and file work in the queues of its executor. With
/// a simulated network and files in memory the whole client runs on one thread under one seed.
public final class SyncClient: Sendable {
  /// Network, executor and clocks.
  public let environment: SyncEnvironment

  /// The key of a session. Several files here may be copies of one realm there.
  private struct Pair: Hashable {
    var target: SyncTarget
    /// The path of the file, or its name in memory; nil for files of which a realm has one.
    var file: String?

    /// The queue of the file, always the same: jobs of an earlier session end before a later session reads the file.
    /// Two files may share a queue.
    var queue: SerialQueue { SerialQueue("file", UInt64(bitPattern: Int64(hashValue))) }
  }

  private struct State {
    var sessions: [Pair: SyncSession] = [:]
    var errorHandler: (@Sendable (SyncError, SyncSession) -> Void)?
    /// Keeps the observation of the network.
    var networkObservation: (any Sendable)?
  }
  private let state = Mutex(State())
  let pool: ConnectionPool

  /// A client without sessions.
  public init(_ environment: SyncEnvironment) {
    self.environment = environment
    pool = ConnectionPool(environment)
    let observation = followNetwork()
    state.withLock { $0.networkObservation = observation }
  }

  /// The handler of the errors of all sessions, called on the loop.
  public var errorHandler: (@Sendable (SyncError, SyncSession) -> Void)? {
    get { state.withLock { $0.errorHandler } }
    set { state.withLock { $0.errorHandler = newValue } }
  }

  /// The session of a realm, if it has one; of several files of it here, any.
  public func session(for target: SyncTarget) -> SyncSession? {
    state.withLock { state in state.sessions.first { $0.key.target == target }?.value }
  }

  /// The session that keeps a file in step with a realm, if there is one.
  func session(of file: any SyncedFile, at target: SyncTarget) -> SyncSession? {
    state.withLock { $0.sessions[Pair(target: target, file: file.identity)] }
  }

  /// All sessions, in no order.
  public var sessions: [SyncSession] { state.withLock { Array($0.sessions.values) } }

  /// Tries every connection now instead of waiting for the back-off.
  public func reconnect() {
    for session in sessions { session.reconnect() }
  }

  /// Ends every session for good.
  public func shutDown() {
    let ending = state.withLock { state in
      defer { state.sessions = [:] }
      return Array(state.sessions.values)
    }
    for session in ending { session.close() }
  }

  /// Starts the session of a file, or gives the one that runs.
  func open(
    _ file: any SyncedFile, at target: SyncTarget, tokens: any TokenSource,
    resets: ResetPolicy = ResetPolicy(), givesUpEarly: Bool = false
  ) -> SyncSession {
    let pair = Pair(target: target, file: file.identity)
    let (session, isNew) = state.withLock { state in
      if let session = state.sessions[pair] { return (session, false) }
      let pool = pool
      let session = SyncSession(
        file: file, target: target, queue: pair.queue, environment: environment,
        role: .application(givesUpEarly: givesUpEarly), policy: resets
      ) {
        pool.connection(for: target, tokens)
      }
      state.sessions[pair] = session
      return (session, true)
    }
    guard isNew else {
      // Opening a realm again asks for sync: a session that a fatal error stopped tries again.
      if session.state == .invalid { session.resume() }
      return session
    }
    session.onError { [weak self] error, session in self?.errorHandler?(error, session) }
    session.whenClosed { [weak self] session in self?.forget(session) }
    environment.network.scheduler.execute { session.start() }
    return session
  }

  /// Ends the session of a realm for good.
  public func close(_ session: SyncSession) { session.close() }

  /// Drops a closed session: opening its realm again makes another one.
  private func forget(_ session: SyncSession) {
    let pair = Pair(target: session.target, file: session.file.identity)
    state.withLock { state in
      if state.sessions[pair] === session { state.sessions[pair] = nil }
    }
  }
}
