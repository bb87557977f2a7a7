/// The failure of an operation of the network, with a remedy for the reader.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. Open: more codes may come; compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public var rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The stable name.
    public var description: String { rawValue }

    /// The port to listen on is taken.
    public static let addressInUse = Code(rawValue: "address_in_use")
    /// The address to listen on is not of this machine.
    public static let addressUnavailable = Code(rawValue: "address_unavailable")
    /// The system refuses, as for ports below 1024.
    public static let permissionDenied = Code(rawValue: "permission_denied")
    /// The host name has no address.
    public static let unresolvedHost = Code(rawValue: "unresolved_host")
    /// No process listens at the address.
    public static let connectionRefused = Code(rawValue: "connection_refused")
    /// A proxy does not let the connection through.
    public static let proxyRefused = Code(rawValue: "proxy_refused")
    /// The network has no route to the host.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The stream ended or broke without a closing handshake.
    public static let connectionLost = Code(rawValue: "connection_lost")
    /// The operation took longer than allowed.
    public static let timedOut = Code(rawValue: "timed_out")
    /// The TLS handshake failed for a reason other than the certificate.
    public static let tlsFailed = Code(rawValue: "tls_failed")
    /// The certificate of the peer is not trusted, has expired, or is for another host.
    public static let certificateRefused = Code(rawValue: "certificate_refused")
    /// The peer broke HTTP or WebSocket rules.
    public static let protocolViolation = Code(rawValue: "protocol_violation")
    /// A message, head or body is larger than allowed.
    public static let tooLarge = Code(rawValue: "too_large")
    /// The peer reads too slowly and the write budget is used up.
    public static let writeBudgetExceeded = Code(rawValue: "write_budget_exceeded")
    /// The URL, address or option cannot be used.
    public static let invalidConfiguration = Code(rawValue: "invalid_configuration")
    /// The loop or network was shut down.
    public static let shutDown = Code(rawValue: "shut_down")
    /// The connection was aborted by this side with ``WebSocketConnection/abort()``.
    public static let aborted = Code(rawValue: "aborted")
    /// Any other system error.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of failure.
  public var code: Code
  /// The failure and a remedy in one sentence. Contains no secrets.
  public var message: String
  /// The words of the layer below, if any: `EADDRINUSE`, an OpenSSL reason.
  public var cause: String?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Message, code and cause.
  public var description: String {
    cause.map { "\(message) [\(code): \($0)]" } ?? "\(message) [\(code)]"
  }
}
