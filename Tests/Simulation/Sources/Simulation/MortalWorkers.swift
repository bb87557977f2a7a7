import ObjectServer
import Synchronization
import Transport
import TransportSimulated

/// The server's workers on the simulated loop; what they have not begun when their process is killed never happens.
final class MortalWorkers: Workers {
  private let workers: LoopWorkers
  private let isAlive = Mutex(true)

  init(_ loop: SimulatedLoop) { workers = LoopWorkers(scheduler: loop, delay: .microseconds(200)) }

  func kill() { isAlive.withLock { $0 = false } }

  func submit(_ lane: WorkLane, _ work: @escaping @Sendable () -> Void) {
    workers.submit(lane) { [self] in
      if isAlive.withLock({ $0 }) { work() }
    }
  }

  func shutDown(_ completion: @escaping @Sendable () -> Void) { workers.shutDown(completion) }
}
