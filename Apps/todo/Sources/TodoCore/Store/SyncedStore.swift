/// A store that a client keeps in step with a server. Used by one thread, except ``onChange(_:)``'s function.
public protocol SyncedStore: TodoStore {
  /// How store and server stand to each other, now.
  var status: StoreStatus { get }

  /// Calls a function on any thread after the store or the status changed, here, in another process or elsewhere.
  func onChange(_ changed: @escaping @Sendable () -> Void)

  /// Waits until everything written here is on the server, or until everything that the server has now is here.
  ///
  /// - Parameter isPatient: whether to wait on while the server cannot be reached.
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome

  /// Switches syncing off or on, also for later runs of the program.
  func setOffline(_ isOffline: Bool) throws
  /// Tries to connect now instead of later.
  func retry()
  /// What lets another user use these lists, or with nil takes the right away. It asks the server and waits for
  /// the answer, so it may be called on any thread.
  func sharing() -> @Sendable (_ user: String, _ access: Access?) throws -> Void
  /// What asks the server what the user may do now, and remembers the answer in ``status``; at most for a few seconds.
  /// May be called on any thread.
  func accessCheck() -> @Sendable () -> Void
  /// Ends syncing.
  func close()
}

/// Which way changes go.
public enum WaitDirection: Equatable, Sendable {
  case upload, download
}

/// How waiting for the server ended.
public enum WaitOutcome: Equatable, Sendable {
  case done
  /// There is nothing to wait for: nobody is logged in, or syncing is switched off.
  case notSyncing
  /// The server cannot be reached.
  case disconnected
  case timedOut
  case failed(StoreStatus.Problem)
}

/// What opens stores and knows who is logged in.
public protocol TodoBackend {
  /// Opens the lists of the user who is logged in, or those of another user who shared them.
  func open(listsOf owner: String?) throws -> any SyncedStore
  /// Logs in and remembers it. Answers what to call the account, such as `ann@localhost:9080`.
  func login(password: String, register: Bool) throws -> String
  /// Whether ``login(password:register:)`` knows a server and a user.
  func checkLogin() throws
  func logout() throws
  var isOffline: Bool { get }
  func setOffline(_ isOffline: Bool) throws
}

/// What the command line says about where things are.
public struct BackendOptions: Equatable, Sendable {
  public var server: String?
  public var user: String?
  public var data: String?
  public var environment: [String: String]

  public init(server: String? = nil, user: String? = nil, data: String? = nil, environment: [String: String] = [:]) {
    self.server = server
    self.user = user
    self.data = data
    self.environment = environment
  }
}
