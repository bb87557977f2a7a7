import Glibc

/// Lets one process at a time sync a file: an advisory lock on a file beside it, which the system gives back when the process ends.
// @unchecked Sendable: the descriptor is written in the initialiser and by `deinit` only.
final class ProcessLock: @unchecked Sendable {
  private let descriptor: Int32

  /// Takes the lock; nil when another process has it, or the file cannot be made.
  init?(path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }
}
