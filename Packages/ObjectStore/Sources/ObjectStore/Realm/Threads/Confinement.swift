import Dispatch
import Foundation
import Glibc
import Synchronization

/// Whose a view of a realm is: everything live may be used there only.
enum Confinement: Sendable {
  /// The main thread, and whichever thread runs the main queue and the main actor once there is none.
  case main
  /// One thread.
  case thread(pthread_t)
  /// One serial queue.
  case queue(DispatchQueue)
  /// One actor.
  case actor(any Actor)
  /// Anybody: the view never changes.
  case none

  /// Where code runs now: the main queue, or else a thread of its own.
  static var current: Confinement { isOnMainQueue ? .main : .thread(pthread_self()) }

  /// An actor; the main actor is the main queue.
  init(_ actor: any Actor) { self = actor is MainActor ? .main : .actor(actor) }

  /// Stops the program when used elsewhere.
  func check() {
    switch self {
    case .main: rule(Self.isOnMainQueue, Self.reason)
    case .thread(let thread): rule(pthread_equal(thread, pthread_self()) != 0, Self.reason)
    case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
    case .actor(let actor): rule(ActorExecutor.isCurrent(actor), Self.reason)
    case .none: break
    }
  }

  private static var reason: String {
    "Realm accessed from incorrect thread. Open a realm on each thread, queue or actor, or pass a frozen copy or a ThreadSafeReference."
  }

  /// Whether this is the place, as far as that can be told without stopping the program.
  var isCurrent: Bool {
    switch self {
    case .main: Self.isOnMainQueue
    case .thread(let thread): pthread_equal(thread, pthread_self()) != 0
    case .queue(let queue): DispatchQueue.getSpecific(key: Self.queueMark) == ObjectIdentifier(queue)
    case .actor(let actor): ActorExecutor.isCurrent(actor)
    case .none: false
    }
  }

  /// Lets ``isCurrent`` know the queue.
  func mark() {
    if case .queue(let queue) = self { queue.setSpecific(key: Self.queueMark, value: ObjectIdentifier(queue)) }
  }

  /// What two views must have in common to be one.
  enum Identity: Hashable, Sendable {
    case main, none
    case thread(UInt)
    /// A queue or an actor.
    case object(ObjectIdentifier)
  }

  var identity: Identity {
    switch self {
    case .main: .main
    case .thread(let thread): .thread(UInt(thread))
    case .queue(let queue): queue === DispatchQueue.main ? .main : .object(ObjectIdentifier(queue))
    case .actor(let actor): .object(ObjectIdentifier(actor))
    case .none: .none
    }
  }

  private static let queueMark = DispatchSpecificKey<ObjectIdentifier>()

  /// Whether this is the main thread, or the main queue runs here: a program with an asynchronous `main` runs it on
  /// threads that change.
  private static var isOnMainQueue: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) == true
  }

  private static let mainMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()
}

/// Whether code runs on an actor.
enum ActorExecutor {
  /// Whether this is the actor's executor.
  static func isCurrent(_ actor: any Actor) -> Bool {
    guard let function else {
      actor.preconditionIsolated("Realm accessed from incorrect thread.")
      return true
    }
    let words = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return function(words.0, words.1, 0)
  }

  // The runtime's question behind `preconditionIsolated`, which only asks without stopping the program.
  private typealias Function = @convention(c) (UInt, UInt, UInt64) -> Bool
  private static let function: Function? = dlsym(nil, "swift_task_isCurrentExecutorWithFlags").map {
    unsafeBitCast($0, to: Function.self)
  }
}

/// Runs work later where a view is at home: on the main queue for the main thread, on its run loop for any other, on
/// the queue or actor of a view that is confined to one.
struct Scheduler: @unchecked Sendable {
  // @unchecked: a run loop's `perform` and a queue's `async` may be called from any thread.
  private enum Place {
    case runLoop(RunLoop)
    case queue(DispatchQueue)
    case actor(ActorQueue)
    case nowhere
  }
  private let place: Place

  init(_ confinement: Confinement) {
    place =
      switch confinement {
      case .queue(let queue): .queue(queue)
      case .main: .queue(.main)
      case .thread: .runLoop(RunLoop.current)
      case .actor(let actor): .actor(ActorQueue(actor))
      case .none: .nowhere
      }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    switch place {
    case .runLoop(let loop): loop.perform(work)
    case .queue(let queue): queue.async(execute: work)
    case .actor(let queue): queue.schedule(work)
    case .nowhere: break
    }
  }
}

/// Runs work on an actor in the order in which it came, which tasks by themselves do not promise.
private final class ActorQueue: Sendable {
  private let actor: any Actor
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  init(_ actor: any Actor) { self.actor = actor }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    Task { await next(on: actor) }
  }

  /// Runs the oldest work: there is one call for each.
  private func next(on actor: isolated any Actor) {
    let work = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    work?()
  }
}
