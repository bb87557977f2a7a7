/// Rooms, people and settings, wherever they are kept. Used by one thread, except the function of ``onChange(_:)``.
public protocol ChatStore: AnyObject {
  /// Everything there is, now; with the messages of the room that is open.
  ///
  /// - Complexity: O(*n*) in the messages of the open room that are on this device, and in the rooms.
  func snapshot() throws -> ChatSnapshot
  /// Connection, pending uploads and refusals, now.
  var status: ChatStatus { get }

  /// Performs an edit.
  ///
  /// - Throws: ``EditError`` when it cannot be done; the store's own error when it cannot write.
  func perform(_ edit: ChatEdit) throws
  /// Shows a room: asks for its newest pages. nil shows none.
  func open(room: String?) throws
  /// Asks for earlier pages of the open room.
  ///
  /// - Returns: whether there is something to ask for.
  func older() throws -> Bool
  /// Searches the rooms for words; nil ends the search.
  func search(_ text: String?) throws
  /// Asks for the whole history of a room, which a later invitation then shares.
  func wholeHistory(of room: String) throws

  /// Calls a function on any thread after something changed, here, in another process or elsewhere.
  func onChange(_ changed: @escaping @Sendable () -> Void)
  /// Waits until everything written here is on the server and was not refused, or until everything asked for is here.
  ///
  /// - Parameter isPatient: whether to wait on while the server cannot be reached.
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome
  /// Switches syncing off or on, also for later runs of the program.
  func setOffline(_ isOffline: Bool) throws
  /// Tries to connect now instead of later.
  func retry()
  /// Sets the realms up for the use of everyone, as an administrator of the server.
  ///
  /// - Throws: `CommandFailure` when the user is none, or the server cannot be reached.
  func lockDown(seconds: Double) throws -> [LockdownRule]
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
  /// Syncing is switched off.
  case notSyncing
  /// The server cannot be reached.
  case disconnected
  /// The server does not serve a realm at present, or another running program has not got everything from it.
  case notServed(ChatStatus.Problem)
  case timedOut
  case failed(ChatStatus.Problem)
}

/// Opens stores, and knows who is logged in.
public protocol ChatBackend {
  /// Opens the rooms of the user who is logged in.
  ///
  /// - Throws: `CommandFailure` with the reason and what helps.
  func open() throws -> any ChatStore
  /// Whether ``login(password:register:)`` knows a server and a user.
  ///
  /// - Throws: `CommandFailure` naming the missing one.
  func checkLogin() throws
  /// Logs in and remembers it.
  ///
  /// - Returns: the account in words, such as `ann@localhost:9080`.
  /// - Throws: `CommandFailure` with the server's reason.
  func login(password: String, register: Bool) throws -> String
  /// Forgets the login on this machine.
  ///
  /// - Throws: `CommandFailure` when nobody is logged in.
  func logout() throws
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
