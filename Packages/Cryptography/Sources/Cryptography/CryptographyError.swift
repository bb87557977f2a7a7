/// The failure of a cryptographic operation.
public struct CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public var rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The stable name.
    public var description: String { rawValue }

    /// A key has the wrong length or kind.
    public static let invalidKey = Code(rawValue: "invalid_key")
    /// An argument has a length or value that the algorithm does not take.
    public static let invalidArgument = Code(rawValue: "invalid_argument")
    /// The cipher text does not belong to this key and initialisation vector, or was changed.
    public static let decryptionFailed = Code(rawValue: "decryption_failed")
    /// A PEM text holds no usable key.
    public static let malformedPEM = Code(rawValue: "malformed_pem")
    /// A stored password hash cannot be read, or asks for more memory than is allowed.
    public static let malformedPasswordHash = Code(rawValue: "malformed_password_hash")
    /// OpenSSL failed for a reason of its own.
    public static let libraryFailure = Code(rawValue: "library_failure")
  }

  /// The kind of the failure.
  public var code: Code
  /// The failure and the advice to the reader, in words. Has no secrets.
  public var message: String
  /// OpenSSL's reason, if it gave one.
  public var cause: String?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message with the code and the cause.
  public var description: String { cause.map { "\(message) [\(code): \($0)]" } ?? "\(message) [\(code)]" }
}
