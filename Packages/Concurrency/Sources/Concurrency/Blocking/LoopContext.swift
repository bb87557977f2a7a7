/// An event loop with the executor for the blocking work beside it.
///
///     context.perform(SerialQueue("realm", 7)) { () throws(StoreError) in
///       try store.read()           // on a thread of the executor
///     } then: { result in
///       session.received(result)   // on the loop
///     }
public struct LoopContext: Sendable {
  /// The loop.
  public let scheduler: any Scheduler
  /// The executor for blocking work.
  public let executor: any BlockingExecutor

  /// A context of a loop and an executor.
  public init(scheduler: any Scheduler, executor: any BlockingExecutor) {
    self.scheduler = scheduler
    self.executor = executor
  }

  /// Runs `work` on the executor, charged to its queue, then `completion` on the loop. From any thread.
  public func perform<Value: Sendable, Failure: Error>(
    _ queue: SerialQueue, _ work: @escaping @Sendable () throws(Failure) -> Value,
    then completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    perform(JobAttributes(queue), work, then: completion)
  }

  /// Runs `work` on the executor, charged to its payers, then `completion` on the loop. From any thread.
  public func perform<Value: Sendable, Failure: Error>(
    _ job: JobAttributes, _ work: @escaping @Sendable () throws(Failure) -> Value,
    then completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    let scheduler = scheduler
    executor.submit(job) {
      let result = Result { () throws(Failure) in try work() }
      scheduler.executeNowOrSoon { completion(result) }
    }
  }
}
