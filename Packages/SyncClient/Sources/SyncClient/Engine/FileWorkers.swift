import Dispatch
import Synchronization
import Transport

/// Where files are read and written. Work of one lane runs one piece at a time, in order; lanes run side by side.
public protocol FileWorkers: Sendable {
  /// Runs `work` soon, never before this call returns.
  func submit(lane: UInt64, _ work: @escaping @Sendable () -> Void)
}

/// Workers on threads of the system. A lane takes room while it has work.
public final class ThreadFileWorkers: FileWorkers {
  private struct Lane {
    let queue: DispatchQueue
    /// Work that is not done.
    var waiting = 0
  }
  private let lanes = Mutex<[UInt64: Lane]>([:])

  /// Workers without work.
  public init() {}

  /// The lanes that have work.
  var busyLanes: Int { lanes.withLock(\.count) }

  public func submit(lane number: UInt64, _ work: @escaping @Sendable () -> Void) {
    lanes.withLock { lanes in
      var lane =
        lanes[number]
        ?? Lane(queue: DispatchQueue(label: "openrealm.sync.file-\(number)", qos: .userInitiated))
      lane.waiting += 1
      lanes[number] = lane
      lane.queue.async {
        work()
        self.done(number)
      }
    }
  }

  private func done(_ number: UInt64) {
    lanes.withLock { lanes in
      lanes[number]?.waiting -= 1
      if lanes[number]?.waiting == 0 { lanes[number] = nil }
    }
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
