/// A piece of work as the workers see it: where it belongs, who pays for it, how large it is.
public struct WorkOrder: Hashable, Sendable {
  /// The sequence that it belongs to.
  public var lane: WorkLane
  /// The users on whose behalf it is done, each once; the lane itself pays when there are none.
  public var payers: [String]
  /// Bytes that it works on, as far as that is known before.
  public var bytes: Int

  /// An order.
  public init(_ lane: WorkLane, payers: [String] = [], bytes: Int = 0) {
    self.lane = lane
    self.payers = payers
    self.bytes = bytes
  }
}
