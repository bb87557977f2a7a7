import ChangesetOT

/// The beginning of a message, read without its fields and its body: enough to pass the message on.
///
///     MessageHead(ofClient: Array("mark 7 2\n".utf8))?.session     // session 7
///
/// Reading costs the same for a message of any size and allocates nothing in proportion to it. The rest of the message is not
/// checked: whoever answers it does that.
public struct MessageHead: Hashable, Sendable {
  /// The meaning of a message for the course of its session.
  public enum Kind: Hashable, Sendable {
    /// BIND: the session begins.
    case bind
    /// UNBIND: the client ends the session.
    case unbind
    /// UNBOUND: the server has ended the session.
    case unbound
    /// ERROR or JSON_ERROR of a server: the session or the connection ends, unless the code is a warning.
    case failure(ProtocolErrorCode)
    /// Every other message.
    case other
  }

  /// The meaning.
  public var kind: Kind
  /// The session; ``SessionIdent/connection`` for a message about the connection, such as PING.
  public var session: SessionIdent

  /// A head with its parts.
  public init(kind: Kind, session: SessionIdent) {
    self.kind = kind
    self.session = session
  }

  /// The head of a client's message; nil for bytes that are none.
  ///
  /// - Complexity: O(1).
  public init?(ofClient bytes: [UInt8]) {
    var reader = HeadReader(bytes.prefix(Self.readBytes))
    let kind: Kind
    switch reader.messageType() {
    case "bind": kind = .bind
    case "unbind": kind = .unbind
    case "ident", "upload", "mark", "query": kind = .other
    case "json_error":
      guard (try? reader.field("code")) != nil, (try? reader.field("JSON size")) != nil else { return nil }
      kind = .other
    case "ping", "test_command":
      self.init(kind: .other, session: .connection)
      return
    default: return nil
    }
    guard let session = try? reader.session() else { return nil }
    self.init(kind: kind, session: session)
  }

  /// The head of a server's message; nil for bytes that are none.
  ///
  /// - Complexity: O(1).
  public init?(ofServer bytes: [UInt8]) {
    var reader = HeadReader(bytes.prefix(Self.readBytes))
    let kind: Kind
    switch reader.messageType() {
    case "ident", "download", "mark", "log_message": kind = .other
    case "unbound": kind = .unbound
    case "query_error":
      guard (try? reader.field("code")) != nil, (try? reader.field("size")) != nil else { return nil }
      kind = .other
    case "json_error":
      guard let code = try? reader.field("code", limit: 9_999), (try? reader.field("size")) != nil else { return nil }
      kind = .failure(ProtocolErrorCode(Int(code)))
    case "error":
      guard let code = try? reader.field("code", limit: 9_999), (try? reader.field("size")) != nil,
        (try? reader.flag("try again")) != nil
      else { return nil }
      kind = .failure(ProtocolErrorCode(Int(code)))
    case "pong", "test_command":
      self.init(kind: .other, session: .connection)
      return
    default: return nil
    }
    guard let session = try? reader.session(allowsConnection: true) else { return nil }
    self.init(kind: kind, session: session)
  }

  /// The type word and at most four numbers stand in the first bytes.
  private static let readBytes = 128
}
