/// Runs a pure state machine: hands it events, and performs its actions in order.
///
///     let runner = MachineRunner(Counter()) { counter, event in counter.handle(event) }
///     runner.handle(.tick) { action in perform(action) }
///
/// Guarantees:
/// - The actions of one event are performed in the order in which the machine gave them, all of them before the machine
///   handles the next event.
/// - An event that arises while an action is performed is queued; events are handled first in, first out. The outermost
///   call returns when no event is queued.
/// - The machine is never entered twice: actions may read ``machine`` and call ``handle(_:perform:)``.
///
/// Not thread-safe: the owner uses it on one thread or loop.
public final class MachineRunner<Machine, Event, Action> {
  /// The machine, as its last event left it.
  public private(set) var machine: Machine
  /// Whether actions are being performed: an event handled meanwhile is queued.
  public private(set) var isRunning = false
  private var queued: [Event] = []
  private let step: (inout Machine, Event) -> [Action]

  /// A runner with nothing queued.
  ///
  /// - Parameter step: hands one event to the machine; must not call the runner.
  public init(_ machine: Machine, step: @escaping (inout Machine, Event) -> [Action]) {
    self.machine = machine
    self.step = step
  }

  /// Handles an event and every event that arises from it; while the runner runs, queues the event instead.
  ///
  /// - Parameter perform: performs one action. Of nested calls, the outermost one's is used.
  /// - Returns: whether this call ran the machine; false when it queued the event.
  /// - Complexity: O(*events* + *actions*), beside the work of the machine and of `perform`.
  @discardableResult
  public func handle(_ event: Event, perform: (Action) -> Void) -> Bool {
    queued.append(event)
    guard !isRunning else { return false }
    run({ _ in [] }, perform: perform)
    return true
  }

  /// Queues an event for the machine while the runner runs, as ``handle(_:perform:)`` does.
  public func enqueue(_ event: Event) {
    precondition(isRunning, "outside of a run nothing would handle the event")
    queued.append(event)
  }

  /// Makes the machine take an input that is no event, performs its actions, and handles the events that arise.
  ///
  /// Must not be called while the runner runs: an input cannot be queued.
  public func run(_ input: (inout Machine) -> [Action], perform: (Action) -> Void) {
    precondition(!isRunning, "a machine that is performed takes events only")
    isRunning = true
    for action in input(&machine) { perform(action) }
    while !queued.isEmpty {
      let events = queued
      queued = []
      for event in events {
        for action in step(&machine, event) { perform(action) }
      }
    }
    isRunning = false
  }
}
