/// The error with which a server ends a connection and all its sessions.
///
/// Guarantee: only codes that do not terminate stock clients can be named; 104 does not exist here.
public struct ConnectionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes that a server may send for a connection.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The server ends the connection without a fault.
    case connectionClosed = 100
    /// The server had trouble.
    case otherError = 101
    /// A message type that this version does not have.
    case unknownMessage = 102
    /// A message whose head or fields cannot be read.
    case badSyntax = 103
    /// A message for a session that is not bound.
    case badSessionIdent = 106
    /// BIND with an ident that is still bound.
    case reuseOfSessionIdent = 107
    /// One client file in two sessions of a connection.
    case boundInOtherSession = 108
    /// A message at a point where it has no meaning.
    case badMessageOrder = 109
    /// The body of an UPLOAD is not the stated zlib stream.
    case badDecompression = 110
    /// An entry of an UPLOAD cannot be read.
    case badChangesetHeader = 111
    /// An entry of an UPLOAD reaches beyond its body.
    case badChangesetSize = 112
    /// Full sync with a server for flexible sync.
    case switchToFlexible = 113
    /// Flexible sync with a server for full sync.
    case switchToFull = 114

    /// The code on the wire.
    public var wire: ProtocolErrorCode { ProtocolErrorCode(rawValue) }
  }

  /// The code.
  public var code: Code
  /// The fault in words, for people.
  public var message: String

  /// A failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whether clients are told to reconnect by themselves.
  public var tryAgain: Bool { code == .connectionClosed || code == .otherError }
  /// Code and message.
  public var description: String { "\(code.wire): \(message)" }

  /// The message for the client: a JSON_ERROR, since a plain ERROR stops several stock releases.
  public var serverMessage: ServerMessage {
    let action: ErrorAction =
      tryAgain ? .transient : code == .switchToFlexible || code == .switchToFull ? .applicationBug : .protocolViolation
    let details = ErrorDetails(message: message, action: action, tryAgain: tryAgain)
    return .jsonError(JSONErrorMessage(code: code.wire, session: .connection, details: details))
  }
}
