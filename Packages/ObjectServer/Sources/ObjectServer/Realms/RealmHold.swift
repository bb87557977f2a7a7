import Concurrency
public import Permissions
public import RecordStore

/// The files of one realm, held open for a consumer of its commits, in the process of the server.
///
///     if let hold = try await server.hold(path) {
///       let position = try await hold.perform { try $0.state().current }
///     }
///
/// While the hold is kept, the realm is neither moved nor deleted: that waits for it, up to
/// ``ServerConfiguration/holdPatience``, and ``isWanted`` says so. Nothing of the files may be kept longer than the hold. Safe to use from any thread.
public final class RealmHold: Sendable {
  /// The present path of the realm.
  public let path: RealmPath
  /// The state, the history and the cursors of the realm.
  public let history: ServerHistory
  /// Whether the files are wanted: the realm is to be moved or deleted, leaves this server, or cannot be used before it is opened anew.
  /// A consumer that can stop gives its hold back soon, and comes again when its watch tells of the realm.
  public var isWanted: Bool { request.isMade }
  private let request: HoldRequest
  private let executor: any BlockingExecutor
  private let committed: @Sendable () -> Void
  private let end: @Sendable () -> Void

  init(
    path: RealmPath, history: ServerHistory, executor: any BlockingExecutor, request: HoldRequest,
    committed: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.history = history
    self.executor = executor
    self.request = request
    self.committed = committed
    self.end = end
  }

  deinit {
    request.forget(ObjectIdentifier(self))
    end()
  }

  /// Chooses the function that is called on the loop when the files are wanted; at once where they are. It must not keep the hold.
  func whenWanted(_ handler: @escaping @Sendable () -> Void) { request.whenMade(ObjectIdentifier(self), handler) }

  /// Runs blocking work with the history on a thread of the server, one at a time for each realm.
  ///
  /// - Throws: the error of `work`.
  public func perform<Value: Sendable>(
    _ work: @escaping @Sendable (ServerHistory) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      perform(work) { continuation.resume(with: $0) }
    }
  }

  /// The form of ``perform(_:)`` for code on the loop. The hold lasts until `completion` was called.
  ///
  /// - Parameter completion: called on the thread of the work.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (ServerHistory) throws -> Value,
    then completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    executor.submit(to: .consumers(path)) { [self] in
      completion(Result { try work(history) })
    }
  }

  /// Runs work that commits to the realm, and tells its sessions and watches of it.
  ///
  /// - Throws: the error of `work`.
  public func write<Value: Sendable>(
    _ work: @escaping @Sendable (ServerHistory) throws -> Value
  ) async throws -> Value {
    let value = try await perform(work)
    committed()
    return value
  }

  /// Tells the sessions and watches of the realm that there is a commit.
  public func noteCommit() { committed() }
}
