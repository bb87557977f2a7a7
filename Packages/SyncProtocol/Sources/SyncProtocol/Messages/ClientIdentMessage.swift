import ChangesetOT

/// IDENT, client to server: the identity of the client file and the position at which the download resumes.
public struct ClientIdentMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The file ident, with the salt that proves it.
  public var file: SaltedFileIdent
  /// The position at which the download resumes.
  public var download: DownloadCursor
  /// The newest server version in any message to the client; 0 at first.
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
