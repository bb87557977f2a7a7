/// The bounds of passing on. Named in `Docs/Limitations.md`.
enum RelayLimits {
  /// The bytes of messages kept for one connection, while the places of their realms are looked up, above which it is not read from.
  static let keptBytes = 1 << 20
  /// The time between two looks at a connection with another node: whether it answers, and whether its realms are still there.
  static let heartbeat = Duration.seconds(5)
  /// The silence after which another node is taken for lost.
  static let silence = Duration.seconds(20)
  /// The bytes that are handed to the socket of a link before they are taken from it; the rest waits on the streams.
  static let linkBuffer = 256 << 10
  /// The largest WebSocket message of a link, of whole frames.
  static let linkMessage = 2 << 20
  /// The most links that other nodes open.
  static let links = 1_024
  /// The time after which a link without streams is closed.
  static let idleLink = Duration.seconds(60)
  /// The time to wait after the second failure of a node in a row; then twice as long each time, up to 32 times.
  static let reconnecting = Duration.milliseconds(125)
  /// The time for opening a connection with another node.
  static let connecting = Duration.seconds(10)
  /// The time to the head of another node's answer, and between its parts.
  static let answering = Duration.seconds(120)
  /// The bytes of an answer that are kept until it is whole; a longer one is sent on in parts.
  static let wholeAnswer = 1 << 20
  /// The most bytes of an answer in parts, or of WebSocket messages of GraphQL, that wait for a client.
  static let answerBuffer = 64 << 20
  /// The bytes that wait on one side of a passed-on WebSocket above which the other side is not read from.
  static let socketBuffer = 1 << 20
}
