/// Connection and pending uploads of the realms, as the status line shows them, and what the server refused.
public struct ChatStatus: Equatable, Sendable {
  /// The state of the connection.
  public enum Connection: String, Equatable, Sendable {
    /// The user has switched syncing off.
    case offline
    case connecting
    case connected
    /// The server cannot be reached; the client tries again by itself.
    case disconnected
    /// Another running program syncs the same files.
    case elsewhere
  }

  /// Something that the user should know, and what to do about it.
  public struct Problem: Equatable, Sendable {
    /// The event in words.
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
  /// Write transactions that the server has not acknowledged, in all realms.
  public var pendingUploads: Int
  /// The last trouble with the server, until it is over.
  public var problem: Problem?
  /// User and server, such as `ann@localhost:9080`.
  public var account: String
  /// The writes that the server refused since the store was opened, in order.
  public var refusals: [Refusal]

  /// A status.
  public init(
    connection: Connection = .connecting, pendingUploads: Int = 0, problem: Problem? = nil, account: String = "",
    refusals: [Refusal] = []
  ) {
    self.connection = connection
    self.pendingUploads = pendingUploads
    self.problem = problem
    self.account = account
    self.refusals = refusals
  }

  /// The status in a few words.
  ///
  ///     connected, all sent
  ///     offline, 3 changes to send
  public var text: String {
    var parts: [String] = []
    switch connection {
    case .offline: parts.append("offline")
    case .connecting: parts.append("connecting")
    case .connected: parts.append("connected")
    case .disconnected: parts.append("no connection, trying again")
    case .elsewhere: parts.append("synced by another chat")
    }
    switch pendingUploads {
    case ...0: if connection == .connected { parts.append("all sent") }
    case 1: parts.append("1 change to send")
    default: parts.append("\(pendingUploads) changes to send")
    }
    return parts.joined(separator: ", ")
  }
}

/// A write that the server undid.
public struct Refusal: Equatable, Sendable {
  /// The class of the object: `MessagePage`, `PrivateChatRoom`.
  public var kind: String
  /// The server's words.
  public var reason: String
  /// The message that was refused; nil for other writes.
  public var post: Post?

  /// A write that was refused.
  public init(kind: String, reason: String, post: Post? = nil) {
    self.kind = kind
    self.reason = reason
    self.post = post
  }
}
