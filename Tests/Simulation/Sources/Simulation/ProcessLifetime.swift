import Concurrency
import Synchronization
import TransportSimulated

/// The lifetime of a simulated process. Jobs that have not begun when the process is killed never run.
///
/// Safe from any thread.
final class ProcessLifetime: Sendable {
  private struct State {
    var isAlive = true
    /// The jobs left before the process dies, and whether the last one still completes.
    var deathPoint: (left: Int, completes: Bool)?
  }
  private let state = Mutex(State())
  /// Disconnects the process from the network; called when it dies at a job.
  private let disconnect: @Sendable () -> Void

  init(disconnect: @escaping @Sendable () -> Void) { self.disconnect = disconnect }

  /// Whether the process has not died.
  var isAlive: Bool { state.withLock { $0.isAlive } }

  /// Kills the process.
  func kill() { state.withLock { $0.isAlive = false } }

  /// Kills the process at the job that follows `count` more: before that job, or after it and before its completion.
  func killAtJob(after count: Int, completes: Bool) { state.withLock { $0.deathPoint = (count, completes) } }

  private enum Verdict { case runs, diesBefore, diesAfter, isDead }

  /// Runs a job, unless the process is dead or dies before it.
  func run(_ work: () -> Void) {
    let verdict = state.withLock { state -> Verdict in
      guard state.isAlive else { return .isDead }
      guard let (left, completes) = state.deathPoint else { return .runs }
      state.deathPoint = (left - 1, completes)
      guard left <= 0 else { return .runs }
      state.isAlive = false
      return completes ? .diesAfter : .diesBefore
    }
    switch verdict {
    case .runs: work()
    case .diesBefore: disconnect()
    case .diesAfter:
      disconnect()
      work()
    case .isDead: break
    }
  }
}

/// The executor of a simulated process: drops jobs after the process died.
struct ProcessExecutor: BlockingExecutor {
  let executor: LoopExecutor
  let lifetime: ProcessLifetime

  init(_ loop: SimulatedLoop, _ lifetime: ProcessLifetime, delay: Duration) {
    executor = LoopExecutor(loop: loop, delay: delay)
    self.lifetime = lifetime
  }

  func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void) {
    executor.submit(job) { [lifetime] in lifetime.run(work) }
  }

  func shutDown(_ completion: @escaping @Sendable () -> Void) { executor.shutDown(completion) }
}
