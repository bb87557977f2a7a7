import Foundation

/// Restricts a data directory to the server's user: an older release, a copy or a package may have left other modes.
enum PrivateModes {
  /// Takes the rights of group and others from the data directory, its folders, the directory of users and the keys. The
  /// files of realms are not changed: others cannot enter their folders.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``, naming what is open to others and cannot be changed.
  static func enforce(_ layout: DataLayout) throws(ServerError) {
    for folder in [layout.root, layout.keys, layout.realms, layout.quarantine] { try close(folder) }
    for suffix in ["", "-wal", "-shm", "-journal"] { try close(layout.directory + suffix) }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: layout.keys)) ?? [] {
      try close(layout.keys + "/" + name)
    }
  }

  /// Makes an empty file that only its owner can read, unless there is one.
  static func makeFile(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { Glibc.close(file) }
  }

  private static func close(_ path: String) throws(ServerError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) != 0 else { return }
    throw ServerError(
      .dataDirectoryUnusable,
      "\(path) is open to other users (mode \(String(status.st_mode & 0o777, radix: 8))): \(String(cString: strerror(errno)))",
      remedy: "run 'chmod go= \(path)' as its owner, or start the server as that user")
  }
}
