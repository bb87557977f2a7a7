/// One entry of a log.
public struct LogEntry: Hashable, Sendable {
  /// The position in its log; positions ascend, with gaps.
  public var position: Int64
  /// The bytes of the entry.
  public var content: [UInt8]

  /// An entry with a position and content.
  public init(position: Int64, content: [UInt8]) {
    self.position = position
    self.content = content
  }
}
