/// UNBIND, client to server: ends a session.
public struct UnbindMessage: Hashable, Sendable {
  /// The session that ends.
  public var session: SessionIdent
  /// An UNBIND.
  public init(session: SessionIdent) { self.session = session }
}
