/// An end of a connection. Clients mask their frames, servers do not.
public enum WebSocketRole: Hashable, Sendable {
  /// The end that connected.
  case client
  /// The end that accepted.
  case server
}
