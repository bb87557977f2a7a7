import Transport

/// Hands blocking work to the workers and brings the result back to the loop.
struct Desk: Sendable {
  let workers: any Workers
  let scheduler: any Scheduler

  /// Runs `work` on a worker, then `completion` on the loop.
  func perform<Value: Sendable>(
    _ lane: WorkLane, _ work: @escaping @Sendable () throws(ServerError) -> Value,
    then completion: @escaping @Sendable (Result<Value, ServerError>) -> Void
  ) {
    perform(WorkOrder(lane), work, then: completion)
  }

  /// Runs `work` on a worker at the expense of those who pay for it, then `completion` on the loop.
  func perform<Value: Sendable>(
    _ order: WorkOrder, _ work: @escaping @Sendable () throws(ServerError) -> Value,
    then completion: @escaping @Sendable (Result<Value, ServerError>) -> Void
  ) {
    let scheduler = scheduler
    workers.submit(order) {
      let result = Result { () throws(ServerError) in try work() }
      scheduler.executeNowOrSoon { completion(result) }
    }
  }
}
