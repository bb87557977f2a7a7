/// UNBOUND, server to client: the session is gone. Not sent after an error.
public struct UnboundMessage: Hashable, Sendable {
  /// The session that is gone.
  public var session: SessionIdent
  /// An UNBOUND.
  public init(session: SessionIdent) { self.session = session }
}
