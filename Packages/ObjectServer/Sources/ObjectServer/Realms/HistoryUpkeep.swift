/// How long a server keeps the history of its realms, and when a client gets the state instead.
public struct HistoryUpkeep: Hashable, Sendable {
  /// Client files that were not seen for so long must start anew; history is not kept for them.
  public var timeToLive: Duration
  /// A client that has not acknowledged anything for so long is not in the middle of its first download.
  public var firstDownloadGrace: Duration
  /// Nothing is trimmed below this many bytes of history.
  public var leastBytes: Int
  /// How often a realm in use is looked at.
  public var interval: Duration
  /// The state is sent instead of a past of more bytes than this, when it is less than half of that past.
  public var bootstrapBytes: Int
  /// How much of a state goes into one message.
  public var bootstrapMessageBytes: Int
  /// How much of a state is one changeset.
  public var bootstrapPieceBytes: Int

  /// 30 days, and the sizes that suit realms of any size.
  public init(
    timeToLive: Duration = .seconds(30 * 86_400), firstDownloadGrace: Duration = .seconds(86_400),
    leastBytes: Int = 1 << 20, interval: Duration = .seconds(3_600), bootstrapBytes: Int = 1 << 20,
    bootstrapMessageBytes: Int = 1 << 20, bootstrapPieceBytes: Int = 128 << 10
  ) {
    self.timeToLive = timeToLive
    self.firstDownloadGrace = firstDownloadGrace
    self.leastBytes = leastBytes
    self.interval = interval
    self.bootstrapBytes = bootstrapBytes
    self.bootstrapMessageBytes = bootstrapMessageBytes
    self.bootstrapPieceBytes = bootstrapPieceBytes
  }
}
