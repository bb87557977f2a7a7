/// An event in the stream of a peer.
public enum WebSocketEvent: Hashable, Sendable {
  /// A complete message, or the head of one that is too large.
  case message(WebSocketMessage)
  /// A ping; answer it with a pong of the same payload.
  case ping([UInt8])
  /// A pong.
  case pong([UInt8])
  /// A close frame; an empty one reads as 1005. The last event.
  case close(WebSocketCloseCode, reason: String)
}
