/// An error of the server, with a remedy for the operator.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error. Open: later releases may add codes; compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public var rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The stable name.
    public var description: String { rawValue }

    /// Another server uses the data directory.
    public static let dataDirectoryLocked = Code(rawValue: "data_directory_locked")
    /// The data directory cannot be made, read or written.
    public static let dataDirectoryUnusable = Code(rawValue: "data_directory_unusable")
    /// The address to listen on is taken or not allowed.
    public static let cannotListen = Code(rawValue: "cannot_listen")
    /// A key file cannot be used.
    public static let badKey = Code(rawValue: "bad_key")
    /// The directory of users cannot be read or written.
    public static let directoryFailure = Code(rawValue: "directory_failure")
    /// The files of a realm cannot be read or written.
    public static let realmFailure = Code(rawValue: "realm_failure")
    /// The realm does not exist, or one exists at the new path.
    public static let realmConflict = Code(rawValue: "realm_conflict")
    /// A backup cannot be written.
    public static let backupFailure = Code(rawValue: "backup_failure")
    /// A backup is incomplete, damaged or of a newer release.
    public static let badBackup = Code(rawValue: "bad_backup")
    /// No user has the name.
    public static let noSuchUser = Code(rawValue: "no_such_user")
    /// A file cannot be rewritten.
    public static let vacuumFailure = Code(rawValue: "vacuum_failure")
    /// The caller ended the work before it was done.
    public static let interrupted = Code(rawValue: "interrupted")
    /// The database of a cluster cannot be used, or another node has the realm.
    public static let clusterFailure = Code(rawValue: "cluster_failure")
    /// The server is stopping or has stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  /// The kind of the error.
  public var code: Code
  /// The event, in one sentence.
  public var message: String
  /// The remedy for the operator; begins with a verb.
  public var remedy: String
  /// The error below this one.
  public var cause: (any Error)?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  /// Message, remedy and cause in one line.
  public var description: String { "\(message); \(remedy)" + (cause.map { " (\($0))" } ?? "") }
}

extension ServerError {
  /// The error of work that its caller ended.
  static let interrupted = ServerError(.interrupted, "interrupted", remedy: "")
}
