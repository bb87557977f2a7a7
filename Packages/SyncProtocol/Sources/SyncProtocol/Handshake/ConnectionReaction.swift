/// The reaction of a client to the end of a connection or to a refused upgrade.
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
  /// Stop, or ask for the location first when it was never verified.
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
  /// Number and name, such as "1000 (normal)".
  public var description: String { "\(rawValue) (\(name))" }

  /// 1000: the connection has served its purpose.
  public static let normal = CloseCode(1000)
  /// 1001: the endpoint goes away.
  public static let goingAway = CloseCode(1001)
  /// 1002: the peer broke the WebSocket protocol.
  public static let protocolError = CloseCode(1002)
  /// 1003: a message of an unacceptable type.
  public static let unacceptableData = CloseCode(1003)
  /// 1006: the connection ended without a close frame.
  public static let abnormal = CloseCode(1006)
  /// 1008: a message that violates a policy.
  public static let policyViolation = CloseCode(1008)
  /// 1009: a message is too big. Never sent to stock clients, which reset each realm of the connection.
  public static let messageTooBig = CloseCode(1009)
  /// 1011: the server met an unexpected condition.
  public static let serverError = CloseCode(1011)
  /// 1015: the TLS handshake failed.
  public static let tlsFailed = CloseCode(1015)
  /// 4001: the access token is not accepted.
  public static let unauthorized = CloseCode(4001)
  /// 4002: the user may not connect.
  public static let forbidden = CloseCode(4002)
  /// 4003: the server is elsewhere.
  public static let movedPermanently = CloseCode(4003)
  /// 4400: the host name was not resolved.
  public static let resolveFailed = CloseCode(4400)
  /// 4401: no connection to the host.
  public static let connectFailed = CloseCode(4401)
  /// 4402: reading failed.
  public static let readFailed = CloseCode(4402)
  /// 4403: writing failed.
  public static let writeFailed = CloseCode(4403)
  /// 4404: try again.
  public static let retry = CloseCode(4404)
  /// 4405: do not try again.
  public static let fatal = CloseCode(4405)

  /// Every code with its name and its reaction.
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
  /// The name of the code.
  public var name: String { row?.name ?? "unknown" }
  /// The reaction of a client; an unknown code counts as 1008.
  public var reaction: ConnectionReaction { row?.reaction ?? CloseCode.policyViolation.reaction }
}
