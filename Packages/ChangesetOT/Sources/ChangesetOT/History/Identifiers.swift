// The vocabulary of history: who made a change, when, and where it stands in whose order.
//
// These types live here, in the lowest package that gives them meaning, because the order of conflicts is
// defined by them. Their wire form is decimal text (SyncProtocol).

/// Names one client's copy of a server file, within that server file.
///
/// 1 is the server's own file, clients start at 2. 0 means "none", or "me" inside a client's own history.
public struct FileIdent: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// No file, or the file itself inside its own history.
  public static let none = FileIdent(0)
  /// The server's own file.
  public static let server = FileIdent(1)

  public static func < (left: FileIdent, right: FileIdent) -> Bool { left.rawValue < right.rawValue }
}

/// A file ident and the random salt that the server drew with it; an impostor or a restored copy has another.
public struct SaltedFileIdent: Hashable, Sendable {
  public var ident: FileIdent
  /// 1 … 2^63-1; 0 when the ident is none.
  public var salt: Int64

  public init(ident: FileIdent, salt: Int64) {
    self.ident = ident
    self.salt = salt
  }

  /// No ident yet.
  public static let none = SaltedFileIdent(ident: .none, salt: 0)
}

/// The number of a snapshot in a client file. A new file has version 1, its first commit makes 2.
///
/// In every cursor version 1 is reported as 0: nothing is there yet.
public struct ClientVersion: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  public static let zero = ClientVersion(0)
  public static func < (left: ClientVersion, right: ClientVersion) -> Bool { left.rawValue < right.rawValue }
}

/// The position of an entry in a server file's history. A new server file is at 0, its first entry is 1.
public struct ServerVersion: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  public static let zero = ServerVersion(0)
  public static func < (left: ServerVersion, right: ServerVersion) -> Bool { left.rawValue < right.rawValue }
}

/// A server version with the salt of the history it belongs to; detects a history rolled back and regrown.
public struct SaltedServerVersion: Hashable, Sendable {
  public var version: ServerVersion
  /// 0 for version 0.
  public var salt: Int64

  public init(version: ServerVersion, salt: Int64) {
    self.version = version
    self.salt = salt
  }

  public static let zero = SaltedServerVersion(version: .zero, salt: 0)
}

/// "I have everything of the server up to `server`; there it had integrated my changes up to `client`."
public struct DownloadCursor: Hashable, Sendable {
  public var server: ServerVersion
  public var client: ClientVersion

  public init(server: ServerVersion, client: ClientVersion) {
    self.server = server
    self.client = client
  }

  public static let zero = DownloadCursor(server: .zero, client: .zero)
}

/// "The server has my changes up to `client`; when I made them I had integrated the server's up to `server`."
public struct UploadCursor: Hashable, Sendable {
  public var client: ClientVersion
  public var server: ServerVersion

  public init(client: ClientVersion, server: ServerVersion) {
    self.client = client
    self.server = server
  }

  public static let zero = UploadCursor(client: .zero, server: .zero)
}

/// How far a client file and its server file are in step; stored by the client with every integration.
public struct SyncProgress: Hashable, Sendable {
  /// The newest server version the client ever heard of.
  public var latestServerVersion: SaltedServerVersion
  public var download: DownloadCursor
  public var upload: UploadCursor

  public init(
    latestServerVersion: SaltedServerVersion = .zero, download: DownloadCursor = .zero, upload: UploadCursor = .zero
  ) {
    self.latestServerVersion = latestServerVersion
    self.download = download
    self.upload = upload
  }
}

/// When a changeset was made: milliseconds since 2015-01-01T00:00:00Z, below 2^63.
public struct OriginTimestamp: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Milliseconds from 1970-01-01 to 2015-01-01.
  public static let unixOffsetInMilliseconds: Int64 = 1_420_070_400_000

  /// The timestamp of a Unix time; times before 2015 become 0.
  public init(unixMilliseconds: Int64) {
    rawValue = UInt64(max(0, unixMilliseconds - Self.unixOffsetInMilliseconds))
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var unixMilliseconds: Int64 { Int64(clamping: rawValue) &+ Self.unixOffsetInMilliseconds }

  public static func < (left: OriginTimestamp, right: OriginTimestamp) -> Bool { left.rawValue < right.rawValue }
}

/// When and where a changeset was made: the total order that decides conflicts. The smaller is the earlier;
/// equal timestamps are decided by the file ident, the higher being later.
public struct ChangesetOrigin: Hashable, Sendable, Comparable {
  public var timestamp: OriginTimestamp
  public var file: FileIdent

  public init(timestamp: OriginTimestamp, file: FileIdent) {
    self.timestamp = timestamp
    self.file = file
  }

  public static func < (left: ChangesetOrigin, right: ChangesetOrigin) -> Bool {
    left.timestamp != right.timestamp ? left.timestamp < right.timestamp : left.file < right.file
  }
}
