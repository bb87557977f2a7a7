extension ClientConnection {
  /// The socket of the connection, and the reason when there is none.
  enum SocketState: Hashable, Sendable {
    /// The work after the wait for a new attempt.
    enum AfterWait: Hashable, Sendable { case connect, refreshToken, refreshLocation }

    /// No session needs a connection.
    case idle
    /// The reconnect timer runs.
    case waiting(then: AfterWait)
    /// The owner was asked for a token or a location; no attempt until ``Event/reconnectNow``.
    case awaitingOwner
    /// A fatal error; no attempt until ``Event/reconnectNow``.
    case stopped
    /// The socket is opening.
    case opening(since: Duration)
    /// Messages flow.
    case open(Dialect)

    /// Whether there is a socket, open or opening.
    var isConnected: Bool {
      switch self {
      case .opening, .open: true
      case .idle, .waiting, .awaitingOwner, .stopped: false
      }
    }
  }
}
