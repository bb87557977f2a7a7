/// The rules for keeping the history of realms, and for sending clients the state instead.
public struct RetentionPolicy: Hashable, Sendable {
  /// Client files that were not seen for this time must start anew; no history is kept for them.
  public var timeToLive: Duration
  /// A client that acknowledged nothing for this time is not considered to be in its first download.
  public var firstDownloadGrace: Duration
  /// A history of fewer bytes is never trimmed.
  public var leastBytes: Int
  /// The time between two trimming checks of a realm in use.
  public var interval: Duration
  /// The state may replace a history of more bytes than this, if the state is less than half of it.
  public var bootstrapBytes: Int
  /// The most bytes of a state in one message.
  public var bootstrapMessageBytes: Int
  /// The most bytes of a state in one changeset.
  public var bootstrapPieceBytes: Int
  /// The past that a client lacks may be compacted when it has more bytes than this, if less than half is left.
  public var compactionBytes: Int
  /// A client that lacks fewer versions follows live, and its past is not looked at.
  public var compactionVersions: Int
  /// The most bytes of history that are compacted for one client at a time.
  public var compactionLimit: Int

  /// A policy; the default is 30 days, with sizes that suit realms of any size.
  public init(
    timeToLive: Duration = .seconds(30 * 86_400), firstDownloadGrace: Duration = .seconds(86_400),
    leastBytes: Int = 1 << 20, interval: Duration = .seconds(3_600), bootstrapBytes: Int = 1 << 20,
    bootstrapMessageBytes: Int = 512 << 10, bootstrapPieceBytes: Int = 128 << 10,
    compactionBytes: Int = 128 << 10, compactionVersions: Int = 32,
    compactionLimit: Int = 8 << 20
  ) {
    self.timeToLive = timeToLive
    self.firstDownloadGrace = firstDownloadGrace
    self.leastBytes = leastBytes
    self.interval = interval
    self.bootstrapBytes = bootstrapBytes
    self.bootstrapMessageBytes = bootstrapMessageBytes
    self.bootstrapPieceBytes = bootstrapPieceBytes
    self.compactionBytes = compactionBytes
    self.compactionVersions = compactionVersions
    self.compactionLimit = compactionLimit
  }
}
