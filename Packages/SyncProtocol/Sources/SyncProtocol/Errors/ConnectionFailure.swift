/// Why a server ends a connection with all its sessions.
///
/// 104 does not exist here, because it terminates stock clients.
public struct ConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes that a server may send for a connection.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    case connectionClosed = 100
    case otherError = 101
    case unknownMessage = 102
    case badSyntax = 103
    case badSessionIdent = 106
    case reuseOfSessionIdent = 107
    case boundInOtherSession = 108
    case badMessageOrder = 109
    case badDecompression = 110
    case badChangesetHeader = 111
    case badChangesetSize = 112
    case switchToFlexible = 113
    case switchToFull = 114

    /// The code on the wire.
    public var wire: ProtocolErrorCode { ProtocolErrorCode(rawValue) }
  }

  /// The code.
  public var code: Code
  /// What went wrong, for people.
  public var message: String

  /// A failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whether clients are told to come back by themselves.
  public var tryAgain: Bool { code == .connectionClosed || code == .otherError }
  public var description: String { "\(code.wire): \(message)" }

  /// The message that tells the client. It is a JSON_ERROR: a plain ERROR reaches an "unreachable" branch of several stock releases.
  public var serverMessage: ServerMessage {
    let action: ErrorAction =
      tryAgain ? .transient : code == .switchToFlexible || code == .switchToFull ? .applicationBug : .protocolViolation
    let details = ErrorDetails(message: message, action: action, tryAgain: tryAgain)
    return .jsonError(JSONErrorMessage(code: code.wire, session: .connection, details: details))
  }
}
