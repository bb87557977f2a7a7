/// A fault in a message, with its position and the error for the peer.
public struct MessageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Reason: Hashable, Sendable {
    /// The first word is not a message type of this dialect and direction.
    case unknownType
    /// A field of the head is malformed.
    case badField(String)
    /// The head has no end, or is longer than any head can be.
    case badHead
    /// Bytes are missing from the body or left over after it.
    case badBodySize
    /// A field or body is larger than allowed.
    case limitExceeded(String)
    /// Text is not UTF-8, or a JSON body is malformed.
    case badText(String)
    /// The body does not inflate to the stated size.
    case badCompression
    /// The head of a changeset entry cannot be read.
    case badEntry(String)
    /// A changeset entry reaches beyond the body.
    case badEntrySize
    /// The versions of changeset entries do not rise.
    case badEntryOrder
  }

  /// The kind of fault.
  public var reason: Reason
  /// The byte at which the offending item begins, counted from the start of the message; inside a compressed body,
  /// from the start of the inflated body.
  public var position: Int
  /// The session of an UPLOAD whose fault concerns that session alone: it is larger than allowed, or its changesets are out
  /// of order.
  public var session: SessionIdent?

  /// An error.
  public init(_ reason: Reason, at position: Int, session: SessionIdent? = nil) {
    self.reason = reason
    self.position = position
    self.session = session
  }

  /// The error for the session; nil when the fault concerns the connection.
  ///
  /// An UPLOAD above the limits is refused for good without a reset: 201 with `ApplicationBug`. A stock client makes its
  /// session inactive, ends the waits for it and calls the error handler.
  var sessionFailure: SessionFailure? {
    guard session != nil else { return nil }
    switch reason {
    case .limitExceeded: return SessionFailure(.otherSessionError, "UPLOAD: \(description); \(Self.sizeRemedy)")
    case .badEntryOrder: return SessionFailure(.badClientVersion, "UPLOAD: \(description)")
    case .unknownType, .badField, .badHead, .badBodySize, .badText, .badCompression, .badEntry, .badEntrySize:
      return nil
    }
  }

  static let sizeRemedy =
    "this transaction cannot be synchronized: write less in one transaction, or have the server's limit raised"

  /// The error that a server answers with. Never 104: it terminates stock clients.
  public var failure: ConnectionFailure {
    let code: ConnectionFailure.Code =
      switch reason {
      case .unknownType: .unknownMessage
      case .badField, .badHead, .badBodySize, .limitExceeded, .badText: .badSyntax
      case .badCompression: .badDecompression
      case .badEntry, .badEntryOrder: .badChangesetHeader
      case .badEntrySize: .badChangesetSize
      }
    return ConnectionFailure(code, description)
  }

  /// Position and fault.
  public var description: String {
    let what =
      switch reason {
      case .unknownType: "unknown message type"
      case .badField(let name): "malformed field \(name)"
      case .badHead: "malformed head"
      case .badBodySize: "the body does not have the stated size"
      case .limitExceeded(let name): "\(name) is larger than allowed"
      case .badText(let name): "malformed \(name)"
      case .badCompression: "the body does not inflate to the stated size"
      case .badEntry(let name): "malformed field \(name) of a changeset entry"
      case .badEntrySize: "a changeset entry reaches beyond the body"
      case .badEntryOrder: "a changeset entry is out of order"
      }
    return "byte \(position): \(what)"
  }
}
