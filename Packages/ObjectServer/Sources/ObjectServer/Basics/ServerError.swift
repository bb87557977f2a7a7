/// Why the server cannot start, serve or store, with what the operator can do about it.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure this is. Open: more codes may come; compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public var rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
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
    /// There is no such realm, or one where none should be.
    public static let realmConflict = Code(rawValue: "realm_conflict")
    /// A backup cannot be written.
    public static let backupFailure = Code(rawValue: "backup_failure")
    /// A backup is incomplete, damaged or of a newer release.
    public static let badBackup = Code(rawValue: "bad_backup")
    /// There is no user of that name.
    public static let noSuchUser = Code(rawValue: "no_such_user")
    /// A file cannot be rewritten.
    public static let vacuumFailure = Code(rawValue: "vacuum_failure")
    /// The server is stopping or has stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  /// What kind of failure this is.
  public var code: Code
  /// What happened.
  public var message: String
  /// What the operator can do, beginning with a verb.
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

  public var description: String { "\(message); \(remedy)" + (cause.map { " (\($0))" } ?? "") }
}
