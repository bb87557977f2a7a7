/// What a client does when a connection ends or an upgrade is refused.
public enum ConnectionReaction: Hashable, Sendable {
  /// Try again with back-off; nothing to report.
  case retry
  /// Try again with back-off, and report it.
  case reportAndRetry
  /// Get a new access token, then try again.
  case refreshToken
  /// Ask where the server is, then try again.
  case refreshLocation
  /// Log the user out, stop.
  case logOut
  /// Reset the client files of the connection.
  case resetClient
  /// Stop, unless the location of the server was never verified: then ask for it first.
  case stop

  /// The reaction to an HTTP status other than 101.
  public init(httpStatus: Int) {
    self =
      switch httpStatus {
      case 301, 308: .refreshLocation
      case 300..<400: .retry
      case 401: .refreshToken
      case 403: .logOut
      case 500..<600: .retry
      default: .stop
      }
  }

  /// The reaction to a WebSocket close code.
  public init(closeCode: UInt16) {
    self = CloseCode(closeCode).reaction
  }
}

/// The code of a WebSocket close frame, as the sync protocol uses it. 4000 and above are private.
public struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The code on the wire.
  public var rawValue: UInt16
  /// The code with this number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The code with this number.
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }
  public var description: String { "\(rawValue) (\(name))" }

  public static let normal = CloseCode(1000)
  public static let goingAway = CloseCode(1001)
  public static let protocolError = CloseCode(1002)
  public static let unacceptableData = CloseCode(1003)
  public static let abnormal = CloseCode(1006)
  public static let policyViolation = CloseCode(1008)
  /// Never to be sent to stock clients: each realm of the connection is reset.
  public static let messageTooBig = CloseCode(1009)
  public static let serverError = CloseCode(1011)
  public static let tlsFailed = CloseCode(1015)
  public static let unauthorized = CloseCode(4001)
  public static let forbidden = CloseCode(4002)
  public static let movedPermanently = CloseCode(4003)
  public static let resolveFailed = CloseCode(4400)
  public static let connectFailed = CloseCode(4401)
  public static let readFailed = CloseCode(4402)
  public static let writeFailed = CloseCode(4403)
  public static let retry = CloseCode(4404)
  public static let fatal = CloseCode(4405)

  /// Every code with its name and what the client does.
  public static let table: [(code: UInt16, name: String, reaction: ConnectionReaction)] = [
    (1000, "normal", .retry), (1001, "going away", .reportAndRetry), (1002, "protocol error", .reportAndRetry),
    (1003, "unacceptable data", .reportAndRetry), (1004, "reserved", .reportAndRetry),
    (1005, "no code", .reportAndRetry), (1006, "abnormal", .refreshToken), (1007, "invalid data", .reportAndRetry),
    (1008, "policy violation", .reportAndRetry), (1009, "message too big", .resetClient),
    (1010, "missing extension", .reportAndRetry), (1011, "server error", .retry),
    (1015, "TLS handshake failed", .reportAndRetry), (4001, "unauthorized", .refreshToken),
    (4002, "forbidden", .logOut), (4003, "moved permanently", .refreshLocation),
    (4400, "could not resolve", .retry), (4401, "could not connect", .retry), (4402, "read error", .retry),
    (4403, "write error", .retry), (4404, "retry", .retry), (4405, "fatal", .stop),
  ]

  private var row: (code: UInt16, name: String, reaction: ConnectionReaction)? {
    Self.table.first { $0.code == rawValue }
  }
  /// What the code is called.
  public var name: String { row?.name ?? "unknown" }
  /// What a client does; an unknown code counts as 1008.
  public var reaction: ConnectionReaction { row?.reaction ?? CloseCode.policyViolation.reaction }
}
