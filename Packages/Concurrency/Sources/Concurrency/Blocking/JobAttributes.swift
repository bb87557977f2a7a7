/// The attributes of a job that decide when it runs: its queue, its payers, its size.
public struct JobAttributes: Hashable, Sendable {
  /// The queue that orders the job.
  public var queue: SerialQueue
  /// The users who are charged for the job, each once; without payers the queue itself is charged.
  public var payers: [String]
  /// The bytes that the job works on, as far as known before it runs.
  public var bytes: Int

  /// The attributes of a job.
  public init(_ queue: SerialQueue, payers: [String] = [], bytes: Int = 0) {
    self.queue = queue
    self.payers = payers
    self.bytes = bytes
  }
}
