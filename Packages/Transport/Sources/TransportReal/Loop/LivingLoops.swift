import COpenSSL
import Glibc
import Synchronization

/// The loops whose threads run, so that the end of the process finds none of them at work.
///
/// `exit`, and so returning from `main`, runs the destructors of libraries while other threads go on: a loop that then
/// takes one of OpenSSL's locks, or libuv's, would meet memory that is gone.
enum LivingLoops {
  private static let loops = Mutex<[ObjectIdentifier: EventLoop]>([:])

  /// How long the end of the process waits for a loop that is busy.
  private static let patience: Duration = .seconds(1)

  /// Handlers run in the reverse order of their registration, and before the destructors of libraries. OpenSSL clears
  /// up in such a handler: it is told not to, and in case somebody used it before, that is where it stands before ours.
  private static let isRegistered: Bool = {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    return atexit { LivingLoops.park() } == 0
  }()

  static func add(_ loop: EventLoop) {
    _ = isRegistered
    loops.withLock { $0[ObjectIdentifier(loop)] = loop }
  }

  static func remove(_ loop: EventLoop) { _ = loops.withLock { $0.removeValue(forKey: ObjectIdentifier(loop)) } }

  /// Stops every loop but the one that this thread runs, for ever.
  private static func park() {
    let others = loops.withLock { loops in loops.values.filter { !$0.isOnLoop } }
    for loop in others { loop.beginParking() }
    let deadline = ContinuousClock.now + patience
    for loop in others { loop.waitUntilParked(deadline) }
  }
}
