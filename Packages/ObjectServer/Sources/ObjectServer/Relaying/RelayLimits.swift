/// The bounds of passing on. Named in `Docs/Limitations.md`.
enum RelayLimits {
  /// The bytes of messages kept for one connection, while the places of their realms are looked up, above which it is not read from.
  static let keptBytes = 1 << 20
  /// The time between two looks at a connection with another node: whether it answers, and whether its realms are still there.
  static let heartbeat = Duration.seconds(5)
  /// The silence after which another node is taken for lost.
  static let silence = Duration.seconds(20)
  /// The time for opening a connection with another node.
  static let connecting = Duration.seconds(10)
}
