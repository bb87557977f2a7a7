import Foundation
import Glibc

/// Small files with secrets, readable by their owner only.
enum SecretFile {
  static func read(_ path: String) throws(ServerError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerError(
        .dataDirectoryUnusable, "\(path) cannot be read", remedy: "check that the server's user may read it")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes through a new file with mode 0600, so that a crash leaves the old content or the new one.
  static func write(_ text: String, to path: String) throws(ServerError) {
    let draft = path + ".new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    guard file >= 0 else { throw failure(path) }
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(draft, path) == 0 else { throw failure(path) }
  }

  /// Writes a file unless it exists; of several processes, exactly one writes it.
  static func writeOnce(_ text: String, to path: String) throws(ServerError) {
    let draft = path + "." + String(UInt64.random(in: .min ... .max), radix: 36)
    try write(text, to: draft)
    defer { unlink(draft) }
    guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
  }

  private static func failure(_ path: String) -> ServerError {
    ServerError(
      .dataDirectoryUnusable, "\(path) cannot be written: \(String(cString: strerror(errno)))",
      remedy: "check the permissions and free space of the data directory, or choose another with --data")
  }
}
