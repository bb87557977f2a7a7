import ChangesetOT

/// IDENT, server to client: the file ident that BIND asked for.
public struct ServerIdentMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The ident (at least 1) and its salt (not 0).
  public var file: SaltedFileIdent

  /// An IDENT.
  public init(session: SessionIdent, file: SaltedFileIdent) {
    self.session = session
    self.file = file
  }
}
