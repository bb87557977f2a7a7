/// A failure of a store: a stable code, a sentence that says what to do, and the cause.
public struct StorageError: Error, Sendable {
  /// The kind of failure, for programs. Codes are stable; releases may add some.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let rawValue: String
    /// The code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the code.
    public var description: String { rawValue }

    /// The file exists and is not one of ours.
    public static let notAStore = Code(rawValue: "notAStore")
    /// The file was written by a newer release.
    public static let newerFormat = Code(rawValue: "newerFormat")
    /// The file is truncated or damaged.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file is sealed and the key given (or its absence) does not open it.
    public static let wrongKey = Code(rawValue: "wrongKey")
    /// The file or its folder may not be read or written.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The file or its folder does not exist, or cannot be opened.
    public static let cannotOpen = Code(rawValue: "cannotOpen")
    /// A file exists at the path of a new one.
    public static let exists = Code(rawValue: "exists")
    /// The disk is full; the transaction left nothing.
    public static let diskFull = Code(rawValue: "diskFull")
    /// Another writer held the store for longer than the timeout.
    public static let locked = Code(rawValue: "locked")
    /// The disk failed to read or write.
    public static let ioFailed = Code(rawValue: "ioFailed")
    /// A value is larger than the store can hold.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The store was closed.
    public static let closed = Code(rawValue: "closed")
    /// More processes use the store at once than it has room for.
    public static let tooManyProcesses = Code(rawValue: "tooManyProcesses")
    /// The store was opened read-only, and a write was asked for.
    public static let readOnly = Code(rawValue: "readOnly")
  }

  /// The kind of failure.
  public var code: Code
  /// The event, and the remedy, in sentences.
  public var message: String
  /// The error that led to this one, if there was one.
  public var cause: (any Error)?

  /// An error with a code, a message and its cause.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension StorageError {
  /// The error for content that no store writes.
  static func damage(_ what: String) -> StorageError {
    StorageError(.corrupt, "\(what) Restore the file from a backup or its server.")
  }
}

extension StorageError: CustomStringConvertible {
  /// Code and message, and the cause in a line of its own.
  public var description: String {
    "\(code): \(message)" + (cause.map { "\n  cause: \($0)" } ?? "")
  }
}
