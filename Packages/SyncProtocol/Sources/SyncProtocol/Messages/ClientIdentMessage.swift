import ChangesetOT

/// IDENT, client to server: says which file this is and from where the server resumes.
public struct ClientIdentMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// Who the client is, with the salt that proves it.
  public var file: SaltedFileIdent
  /// Where the download resumes.
  public var download: DownloadCursor
  /// The newest server version the client ever heard of; 0 at first.
  public var latestServerVersion: SaltedServerVersion
  /// The active subscription set; present exactly in flexible sync.
  public var query: QuerySet?

  /// An IDENT.
  public init(
    session: SessionIdent, file: SaltedFileIdent, download: DownloadCursor = .zero,
    latestServerVersion: SaltedServerVersion = .zero, query: QuerySet? = nil
  ) {
    self.session = session
    self.file = file
    self.download = download
    self.latestServerVersion = latestServerVersion
    self.query = query
  }
}
