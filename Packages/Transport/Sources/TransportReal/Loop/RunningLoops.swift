import COpenSSL
import Glibc
import Synchronization

/// The loops whose threads run. They are stopped before the process ends.
///
/// `exit`, and so returning from `main`, runs the destructors of libraries while other threads go on: a loop that then
/// took a lock of OpenSSL or libuv would access freed memory.
enum RunningLoops {
  private static let loops = Mutex<[ObjectIdentifier: EventLoop]>([:])

  /// The longest that the end of the process waits for busy loops.
  private static let patience: Duration = .seconds(1)

  /// Registers ``park()`` for `exit`. Such handlers run before the destructors of libraries, in the reverse order of their
  /// registration. OpenSSL is set up without its own, which would free memory that loops still use; where it was set up
  /// earlier, its handler runs after this one.
  private static let isRegistered: Bool = {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    return atexit { RunningLoops.park() } == 0
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
