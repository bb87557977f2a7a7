import Glibc
import Synchronization

/// Lets one process at a time sync a file: an advisory lock on a file beside it, which the system gives back when the process ends.
final class ProcessLock: Sendable {
  private let descriptor: Mutex<Int32>

  /// Takes the lock; nil when another process has it, or the file cannot be made.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = Mutex(descriptor)
  }

  /// Gives the lock back.
  func unlock() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  deinit { unlock() }
}
