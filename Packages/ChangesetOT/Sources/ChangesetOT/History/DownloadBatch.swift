/// The subscription set and the position of a flexible DOWNLOAD.
public struct DownloadBatch: Hashable, Sendable {
  /// The position of a message in a bootstrap.
  public enum State: UInt64, Hashable, Sendable {
    /// More messages of the bootstrap follow.
    case moreToCome = 0
    /// The last message of a bootstrap.
    case last = 1
    /// No bootstrap: ordinary changes within the queries.
    case steady = 2
  }
  /// The subscription set that the data belongs to.
  public var query: QueryVersion
  /// The position of the message.
  public var state: State

  /// A batch.
  public init(query: QueryVersion, state: State) {
    self.query = query
    self.state = state
  }
}
