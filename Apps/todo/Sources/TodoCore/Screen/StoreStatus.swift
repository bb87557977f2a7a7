/// Connection, pending uploads and rights of a store, as the status line shows them.
public struct StoreStatus: Equatable, Sendable {
  /// The state of the connection.
  public enum Connection: Equatable, Sendable {
    /// No server: nobody is logged in.
    case local
    /// The user has switched syncing off.
    case offline
    case connecting
    case connected
    /// The server cannot be reached; the client tries again by itself.
    case disconnected
    /// Another running program syncs the same lists.
    case elsewhere
  }

  /// Something that the user should know, and what to do about it.
  public struct Problem: Equatable, Sendable {
    /// The kind of mouse event.
    public var message: String
    /// Advice to the user.
    public var remedy: String

    /// A problem.
    public init(_ message: String, remedy: String) {
      self.message = message
      self.remedy = remedy
    }
  }

  /// The state of the connection.
  public var connection: Connection
  /// Write transactions that the server has not acknowledged.
  public var pendingUploads: Int
  /// The finished share of a longer transfer, 0 to 1; nil while there is none.
  public var progress: Double?
  /// The last trouble with the server, until it is over.
  public var problem: Problem?
  /// User and server, such as `ann@localhost:9080`; empty if nobody is logged in.
  public var account: String

  /// The user's rights; nil without a server, and before its first answer.
  public var access: StoreAccess?
  /// The writes that the server refused since the store was opened, in order.
  public var refused: [RefusedWrite]

  /// Whether the server would refuse every change.
  public var isReadOnly: Bool { access?.mayEdit == false }

  /// A status.
  public init(
    connection: Connection = .local, pendingUploads: Int = 0, progress: Double? = nil, problem: Problem? = nil,
    account: String = "", access: StoreAccess? = nil, refused: [RefusedWrite] = []
  ) {
    self.connection = connection
    self.pendingUploads = pendingUploads
    self.progress = progress
    self.problem = problem
    self.account = account
    self.access = access
    self.refused = refused
  }

  /// The status in a few words.
  ///
  ///     connected, all changes uploaded
  ///     offline, 3 changes to upload
  public var text: String {
    var parts: [String] = []
    switch connection {
    case .local: return "local only (log in with 'todo login' to sync)"
    case .offline: parts.append("offline")
    case .connecting: parts.append("connecting")
    case .connected: parts.append("connected")
    case .disconnected: parts.append("no connection, trying again")
    case .elsewhere: parts.append("synced by another todo")
    }
    if isReadOnly { parts.append("read only") }
    if let progress {
      let percent = Int(max(0, min(100, (progress.isFinite ? progress : 0) * 100)))
      parts.append("syncing \(percent)%")
    }
    switch pendingUploads {
    case ...0: if connection == .connected, progress == nil, !isReadOnly { parts.append("all changes uploaded") }
    case 1: parts.append("1 change to upload")
    default: parts.append("\(pendingUploads) changes to upload")
    }
    return parts.joined(separator: ", ")
  }
}
