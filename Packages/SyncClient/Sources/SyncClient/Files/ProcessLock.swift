import Glibc
import Synchronization

/// An advisory lock on a file beside a realm file: one process at a time syncs the realm. The system releases it when
/// the process ends. Safe from any thread.
final class ProcessLock: Sendable {
  private let descriptor: Mutex<Int32>

  /// Takes the lock without waiting; nil when another process has it, or the file cannot be made.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = Mutex(descriptor)
  }

  /// Releases the lock; later calls do nothing.
  func unlock() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  deinit { unlock() }
}
