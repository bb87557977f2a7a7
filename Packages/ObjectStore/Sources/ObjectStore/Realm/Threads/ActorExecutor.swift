import Glibc

/// Asks the runtime whether code runs on an actor.
///
/// The runtime answers this for `preconditionIsolated`, but Swift has no function that asks without stopping the
/// program. Without the runtime's symbol, `preconditionIsolated` is called.
enum ActorExecutor {
  /// Whether the calling code runs on the actor's executor.
  static func isCurrent(_ actor: any Actor) -> Bool {
    guard let function else {
      actor.preconditionIsolated("Realm accessed from incorrect thread.")
      return true
    }
    // An executor reference is two words, the executor and its witness table; `isLayoutKnown` checks the size.
    rule(isLayoutKnown, "This Swift runtime describes executors in another way than OpenRealm knows.")
    let words = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return function(words.0, words.1, 0)
  }

  /// Whether an executor reference has the size of the two words that the runtime's function takes.
  static var isLayoutKnown: Bool { MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size }

  private typealias Function = @convention(c) (UInt, UInt, UInt64) -> Bool
  // The cast holds: the runtime declares `bool swift_task_isCurrentExecutorWithFlags(SerialExecutorRef, flags)`.
  private static let function: Function? = dlsym(nil, "swift_task_isCurrentExecutorWithFlags").map {
    unsafeBitCast($0, to: Function.self)
  }
}
