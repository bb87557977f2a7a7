import Dispatch
import Foundation
import Glibc

/// Whose a view of a realm is: everything live may be used there only.
enum Confinement {
  /// One thread.
  case thread(pthread_t)
  /// One serial queue.
  case queue(DispatchQueue)
  /// Anybody: the view never changes.
  case none

  static var currentThread: Confinement { .thread(pthread_self()) }

  /// Stops the program when used elsewhere.
  func check() {
    switch self {
    case .thread(let thread):
      rule(
        pthread_equal(thread, pthread_self()) != 0,
        "Realm accessed from incorrect thread. Open a realm on each thread, or pass a frozen copy.")
    case .queue(let queue):
      dispatchPrecondition(condition: .onQueue(queue))
    case .none: break
    }
  }

  /// What two views must have in common to be one.
  var identity: AnyHashable {
    switch self {
    case .thread(let thread): "thread \(thread)"
    case .queue(let queue): ObjectIdentifier(queue)
    case .none: "none"
    }
  }
}

/// Runs work later where a view is at home: on the main queue for the main thread, on its run loop for any other, on
/// the queue of a view that is confined to one.
struct Scheduler: @unchecked Sendable {
  // @unchecked: a run loop's `perform` and a queue's `async` may be called from any thread.
  private let runLoop: RunLoop?
  private let queue: DispatchQueue?

  init(_ confinement: Confinement) {
    switch confinement {
    case .queue(let queue): (self.runLoop, self.queue) = (nil, queue)
    case .thread where Thread.isMainThread: (runLoop, queue) = (nil, .main)
    case .thread: (runLoop, queue) = (RunLoop.current, nil)
    case .none: (runLoop, queue) = (nil, nil)
    }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    if let queue { queue.async(execute: work) } else { runLoop?.perform(work) }
  }
}
