/// Runs blocking work (disk, password hashes) outside of the event loop.
///
/// The jobs of one ``SerialQueue`` run one at a time, in the order of submission. Queues run side by side; of those with
/// jobs, the queue whose payers consumed least lately comes first (`FairScheduler`).
///
/// Example:
///
///     executor.submit(to: SerialQueue("realm", 7)) { store.close() }
public protocol BlockingExecutor: Sendable {
  /// Runs `work` soon, never before this call returns. From any thread. After ``shutDown(_:)`` work may be dropped.
  func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void)

  /// The processor time that the calling thread consumed so far: a job that asks at its beginning and at its end knows its cost. Zero
  /// where costs are computed, not measured.
  var processorTime: Duration { get }

  /// Accepts no more work and calls `completion` when all submitted jobs are done. From any thread.
  func shutDown(_ completion: @escaping @Sendable () -> Void)
}

extension BlockingExecutor {
  /// The default: costs are not measured.
  public var processorTime: Duration { .zero }

  /// Runs `work` soon, charged to its queue. From any thread.
  public func submit(to queue: SerialQueue, _ work: @escaping @Sendable () -> Void) {
    submit(JobAttributes(queue), work)
  }
}
