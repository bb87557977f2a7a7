/// A store that a client keeps in step with a server. Used by one thread, except ``onChange(_:)``'s function.
public protocol SyncedStore: TodoStore {
  /// The connection, pending uploads and rights, now.
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
  /// A function that grants another user these lists, or with nil takes the right away. It asks the server and waits for
  /// the answer, so it may be called on any thread.
  func sharing() -> @Sendable (_ user: String, _ access: Access?) throws -> Void
  /// A function that asks the server who has access to these lists and who is connected, as far as the user may know. It waits
  /// for the answer, so it may be called on any thread.
  func asking() -> @Sendable () throws -> [ListUser]
  /// A function that asks the server for the user's rights, and remembers the answer in ``status``; at most for a few seconds.
  /// May be called on any thread.
  func accessCheck() -> @Sendable () -> Void
  /// Ends syncing.
  func close()
}

/// Which way changes go.
public enum WaitDirection: Equatable, Sendable {
  case upload, download
}

/// The end of a wait for the server.
public enum WaitOutcome: Equatable, Sendable {
  case done
  /// No server to wait for: nobody is logged in, or syncing is switched off.
  case notSyncing
  /// The server cannot be reached.
  case disconnected
  /// The server does not serve a realm at present, or another running program has not got everything from it.
  case notServed(StoreStatus.Problem)
  case timedOut
  case failed(StoreStatus.Problem)
}

/// Opens stores, and knows who is logged in.
public protocol TodoBackend {
  /// Opens the lists of the user who is logged in, or those of another user who shared them.
  ///
  /// - Throws: `CommandFailure` with the reason and what helps.
  func open(listsOf owner: String?) throws -> any SyncedStore
  /// Logs in and remembers it.
  ///
  /// - Returns: the account in words, such as `ann@localhost:9080`.
  /// - Throws: `CommandFailure` with the server's reason.
  func login(password: String, register: Bool) throws -> String
  /// Whether ``login(password:register:)`` knows a server and a user.
  ///
  /// - Throws: `CommandFailure` naming the missing one.
  func checkLogin() throws
  /// Forgets the login on this machine.
  ///
  /// - Throws: `CommandFailure` when nobody is logged in.
  func logout() throws
  /// Whether syncing is switched off.
  var isOffline: Bool { get }
  /// Switches syncing off or on.
  ///
  /// - Throws: `CommandFailure` when that cannot be remembered.
  func setOffline(_ isOffline: Bool) throws
}

/// The options of a command line that name server, user and folder.
public struct BackendOptions: Equatable, Sendable {
  /// `--server`.
  public var server: String?
  /// `--user`.
  public var user: String?
  /// `--data`.
  public var data: String?
  /// `--ca`: a file with the authority, or certificate, that proves the server.
  public var certificates: String?
  /// The environment of the process.
  public var environment: [String: String]
  /// Whether the command only reads, so that it makes no folder that `--data` names.
  public var isReading: Bool

  /// Options; none unless given.
  public init(
    server: String? = nil, user: String? = nil, data: String? = nil, certificates: String? = nil,
    environment: [String: String] = [:], isReading: Bool = false
  ) {
    self.server = server
    self.user = user
    self.data = data
    self.certificates = certificates
    self.environment = environment
    self.isReading = isReading
  }
}
