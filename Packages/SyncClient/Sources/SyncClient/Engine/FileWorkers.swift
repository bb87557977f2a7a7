import Dispatch
import Synchronization
import Transport

/// Where files are read and written. Work of one lane runs one piece at a time, in order; lanes run side by side.
public protocol FileWorkers: Sendable {
  /// Runs `work` soon, never before this call returns.
  func submit(lane: UInt64, _ work: @escaping @Sendable () -> Void)
}

/// Workers on threads of the system.
public final class ThreadFileWorkers: FileWorkers {
  private let queues = Mutex<[UInt64: DispatchQueue]>([:])

  /// Workers without lanes yet.
  public init() {}

  public func submit(lane: UInt64, _ work: @escaping @Sendable () -> Void) {
    let queue = queues.withLock { queues in
      if let queue = queues[lane] { return queue }
      let queue = DispatchQueue(label: "openrealm.sync.file-\(lane)", qos: .userInitiated)
      queues[lane] = queue
      return queue
    }
    queue.async(execute: work)
  }
}

/// Workers on the loop itself: for simulation, where one thread and one seed decide everything.
public struct LoopFileWorkers: FileWorkers {
  private let scheduler: any Scheduler
  private let delay: Duration

  /// Workers on `scheduler`; each piece of work starts `delay` after it was submitted.
  public init(scheduler: any Scheduler, delay: Duration = .zero) {
    self.scheduler = scheduler
    self.delay = delay
  }

  public func submit(lane: UInt64, _ work: @escaping @Sendable () -> Void) { scheduler.schedule(after: delay, work) }
}
