import Foundation

/// The lock of a data directory: held by one server at a time, released when it stops or dies.
final class DataDirectoryLock: Sendable {
  private let file: Int32

  /// Takes the lock in the file at `path`.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryLocked`` when another process holds it, naming it.
  init(path: String, directory: String) throws(ServerError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw ServerError(
        .dataDirectoryUnusable,
        "the data directory \(directory) cannot be written: \(String(cString: strerror(errno)))",
        remedy: "check its permissions, or choose another with --data")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.read(file)
      close(file)
      throw ServerError(
        .dataDirectoryLocked,
        "another server" + (holder.map { " (process \($0))" } ?? "") + " uses the data directory \(directory)",
        remedy: "stop it, or choose another directory with --data")
    }
    ftruncate(file, 0)
    let text = Array("\(getpid())\n".utf8)
    pwrite(file, text, text.count, 0)
  }

  /// Whether a process holds the lock in the file at `path`.
  static func isHeld(path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func read(_ file: Int32) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: buffer.prefix(count), as: UTF8.self).filter(\.isNumber))
  }

  /// Gives the lock back.
  func release() { close(file) }
}
