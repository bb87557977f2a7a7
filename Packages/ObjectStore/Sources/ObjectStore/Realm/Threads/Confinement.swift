import Dispatch
import Foundation
import Glibc

/// The thread, queue or actor on which alone a view, its objects and its collections may be used.
enum Confinement: Sendable {
  /// The main thread, and the threads that run the main queue and the main actor in a program with an asynchronous
  /// `main`.
  case main
  case thread(pthread_t)
  /// A serial queue.
  case queue(DispatchQueue)
  case actor(any Actor)
  /// Any thread: the view is frozen.
  case none

  /// The confinement of the calling code: the main queue, or else the thread.
  static var current: Confinement { isOnMainQueue ? .main : .thread(pthread_self()) }

  /// An actor; the main actor is the main queue.
  init(_ actor: any Actor) { self = actor is MainActor ? .main : .actor(actor) }

  /// Stops the program when called elsewhere.
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

  /// Whether the calling code runs there. A queue is recognised only after ``mark()``.
  var isCurrent: Bool {
    switch self {
    case .main: Self.isOnMainQueue
    case .thread(let thread): pthread_equal(thread, pthread_self()) != 0
    case .queue(let queue): DispatchQueue.getSpecific(key: Self.queueMark) == ObjectIdentifier(queue)
    case .actor(let actor): ActorExecutor.isCurrent(actor)
    case .none: false
    }
  }

  /// Makes a queue recognisable to ``isCurrent``.
  func mark() {
    if case .queue(let queue) = self { queue.setSpecific(key: Self.queueMark, value: ObjectIdentifier(queue)) }
  }

  /// A confinement as a key: equal for confinements that share one view.
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

  /// Whether this is the main thread, or a thread that runs the main queue at the moment.
  private static var isOnMainQueue: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) == true
  }

  private static let mainMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()
}
