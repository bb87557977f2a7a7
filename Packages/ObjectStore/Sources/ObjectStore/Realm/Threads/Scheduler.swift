import Dispatch
import Foundation
import Synchronization

/// Runs work later where a view is confined to: on the main queue, on the run loop of a thread, on a queue, or on an
/// actor.
///
/// Work runs in the order in which it was scheduled. Any thread may schedule. A thread whose run loop does not run
/// executes nothing.
struct Scheduler: @unchecked Sendable {
  // @unchecked: a run loop's `perform` and a queue's `async` may be called from any thread.
  private enum Target {
    case runLoop(RunLoop)
    case queue(DispatchQueue)
    case actor(ActorQueue)
    case nowhere
  }
  private let target: Target

  /// - Precondition: called where the confinement is.
  init(_ confinement: Confinement) {
    target =
      switch confinement {
      case .queue(let queue): .queue(queue)
      case .main: .queue(.main)
      case .thread: .runLoop(RunLoop.current)
      case .actor(let actor): .actor(ActorQueue(actor))
      case .none: .nowhere
      }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    switch target {
    case .runLoop(let loop): loop.perform(work)
    case .queue(let queue): queue.async(execute: work)
    case .actor(let queue): queue.schedule(work)
    case .nowhere: break
    }
  }
}

/// A first-in-first-out queue of work for an actor. Tasks alone do not promise an order.
private final class ActorQueue: Sendable {
  private let actor: any Actor
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  init(_ actor: any Actor) { self.actor = actor }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    Task { await runFirst(on: actor) }
  }

  /// Runs the oldest work. Each piece of work has one such call.
  private func runFirst(on actor: isolated any Actor) {
    let work = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    work?()
  }
}
