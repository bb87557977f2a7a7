import Dispatch

/// Runs the connector on threads of its own, since libpq blocks: the pool of other tasks stays free.
final class ConnectorThread: TaskExecutor {
  private let queue = DispatchQueue(label: "realm-postgres")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
