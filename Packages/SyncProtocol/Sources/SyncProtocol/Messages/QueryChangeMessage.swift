import ChangesetOT

/// QUERY, client to server, flexible sync: a new subscription set.
public struct QueryChangeMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The new set.
  public var query: QuerySet

  /// A QUERY.
  public init(session: SessionIdent, query: QuerySet) {
    self.session = session
    self.query = query
  }
}

/// QUERY_ERROR, server to client, flexible sync: a subscription set cannot be served; the session goes on.
public struct QueryErrorMessage: Hashable, Sendable {
  /// The error number, 226 for a bad query.
  public var code: ProtocolErrorCode
  /// The session.
  public var session: SessionIdent
  /// The set that is refused.
  public var query: QueryVersion
  /// The reason, for people.
  public var message: String

  /// A QUERY_ERROR.
  public init(code: ProtocolErrorCode, session: SessionIdent, query: QueryVersion, message: String) {
    self.code = code
    self.session = session
    self.query = query
    self.message = message
  }
}
