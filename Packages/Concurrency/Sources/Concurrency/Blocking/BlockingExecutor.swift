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

  /// Accepts no more work and calls `completion` when all submitted jobs are done. From any thread.
  func shutDown(_ completion: @escaping @Sendable () -> Void)
}

extension BlockingExecutor {
  /// Runs `work` soon, charged to its queue. From any thread.
  public func submit(to queue: SerialQueue, _ work: @escaping @Sendable () -> Void) {
    submit(JobAttributes(queue), work)
  }
}
