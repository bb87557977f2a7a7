/// The name of a sequence of jobs: of the jobs of one queue, one runs at a time, in the order of submission.
///
///     let queue = SerialQueue("realm", 7)
///
/// A queue is a value; it takes memory in the executor while it has jobs.
public struct SerialQueue: Hashable, Sendable, CustomStringConvertible {
  /// The kind of queue. Up to 15 bytes are compared and hashed without a heap access.
  public let label: String
  /// Distinguishes the queues of one label.
  public let number: UInt64
  /// The cost of a job is divided by this before it is charged; above 1 for jobs that all users depend on.
  public let weight: Double

  /// The queue of a label and a number; queues of different weights are different queues.
  public init(_ label: String, _ number: UInt64 = 0, weight: Double = 1) {
    self.label = label
    self.number = number
    self.weight = weight
  }

  /// Label and number, as in `realm-7`.
  public var description: String { "\(label)-\(number)" }
}
