/// The limits of messages; the decoder allocates nothing beyond them.
public struct MessageLimits: Hashable, Sendable {
  /// The longest head, in bytes. The longest legal one has 11 numbers of 20 digits.
  public var headBytes = 512
  /// The longest path in BIND.
  public var pathBytes = 1024
  /// The longest token in BIND.
  public var tokenBytes = 2048
  /// The largest whole message. One transaction is one changeset in one message.
  public var messageBytes = 256 << 20
  /// The largest body after inflating.
  public var inflatedBytes = 256 << 20
  /// The most changesets in one UPLOAD: one for each byte that clients collect before they send.
  public var uploadEntries = 128 << 10
  /// The most changesets in one DOWNLOAD.
  public var downloadEntries = 2 << 20
  /// The largest query text, error text, JSON body or log line.
  public var textBytes = 1 << 20

  /// The limits above.
  public init() {}

  /// The limits for messages of a server: a DOWNLOAD may contain the largest changeset that our server can be configured to
  /// accept, 512 MiB, and others beside it.
  public static var ofDownloads: MessageLimits {
    var limits = MessageLimits()
    limits.messageBytes = 576 << 20
    limits.inflatedBytes = 576 << 20
    return limits
  }
}
