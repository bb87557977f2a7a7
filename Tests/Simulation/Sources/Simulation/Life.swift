import Concurrency
import Synchronization
import TransportSimulated

/// The life of a simulated process: what it has not begun when it is killed never happens.
final class Life: Sendable {
  private struct State {
    var isAlive = true
    /// Pieces of work until its death, and whether the last one is still done.
    var fuse: (left: Int, isDone: Bool)?
  }
  private let state = Mutex(State())
  /// Cuts the process off from the network.
  private let cutOff: @Sendable () -> Void

  init(cutOff: @escaping @Sendable () -> Void) { self.cutOff = cutOff }

  var isAlive: Bool { state.withLock { $0.isAlive } }

  func kill() { state.withLock { $0.isAlive = false } }

  /// The process dies at the piece of work that comes after `count` more: instead of it, or when it is done and nobody has
  /// heard of it yet.
  func die(afterWork count: Int, isDone: Bool) { state.withLock { $0.fuse = (count, isDone) } }

  private enum Verdict { case runs, diesBefore, diesAfter, isDead }

  func run(_ work: () -> Void) {
    let verdict = state.withLock { state -> Verdict in
      guard state.isAlive else { return .isDead }
      guard let (left, isDone) = state.fuse else { return .runs }
      state.fuse = (left - 1, isDone)
      guard left <= 0 else { return .runs }
      state.isAlive = false
      return isDone ? .diesAfter : .diesBefore
    }
    if verdict == .diesBefore || verdict == .diesAfter { cutOff() }
    if verdict == .runs || verdict == .diesAfter { work() }
  }
}

/// The executor of a simulated process, as long as the process lives.
struct MortalExecutor: BlockingExecutor {
  let executor: LoopExecutor
  let life: Life

  init(_ loop: SimulatedLoop, _ life: Life, delay: Duration) {
    executor = LoopExecutor(loop: loop, delay: delay)
    self.life = life
  }

  func submit(_ job: JobAttributes, _ work: @escaping @Sendable () -> Void) {
    executor.submit(job) { [life] in life.run(work) }
  }

  func shutDown(_ completion: @escaping @Sendable () -> Void) { executor.shutDown(completion) }
}
