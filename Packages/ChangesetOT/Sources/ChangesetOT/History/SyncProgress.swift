/// The download position of a client: all server versions up to `server` are integrated; the server had integrated the
/// client's versions up to `client` at that point.
public struct DownloadCursor: Hashable, Sendable {
  /// The last server version that the client has integrated.
  public var server: ServerVersion
  /// The last client version that the server had integrated at that server version.
  public var client: ClientVersion

  /// A position.
  public init(server: ServerVersion, client: ClientVersion) {
    self.server = server
    self.client = client
  }

  /// Nothing downloaded.
  public static let zero = DownloadCursor(server: .zero, client: .zero)
}

/// The upload position of a client: all client versions up to `client` are uploaded; the client had integrated the server's
/// versions up to `server` at that point.
public struct UploadCursor: Hashable, Sendable {
  /// The last client version of the upload.
  public var client: ClientVersion
  /// The last server version that the client had integrated at that client version.
  public var server: ServerVersion

  /// A position.
  public init(client: ClientVersion, server: ServerVersion) {
    self.client = client
    self.server = server
  }

  /// Nothing uploaded.
  public static let zero = UploadCursor(client: .zero, server: .zero)
}

/// The synchronisation state of a client file; stored by the client with every integration.
public struct SyncProgress: Hashable, Sendable {
  /// The newest server version that any message named.
  public var latestServerVersion: SaltedServerVersion
  /// The download position.
  public var download: DownloadCursor
  /// The upload position that the server has acknowledged.
  public var upload: UploadCursor

  /// A state; by itself that of a new file.
  public init(
    latestServerVersion: SaltedServerVersion = .zero, download: DownloadCursor = .zero, upload: UploadCursor = .zero
  ) {
    self.latestServerVersion = latestServerVersion
    self.download = download
    self.upload = upload
  }
}
