import Glibc
import SQLiteDatabase

extension Store {
  /// Writes a compact copy of the latest version, with its logs, to a new file, which is complete and on disk when the
  /// call returns, and is not there when it throws. Writers go on meanwhile.
  ///
  /// - Parameters:
  ///   - path: of no existing file.
  ///   - key: encrypts the copy; nil writes it in clear, whether or not the store is encrypted.
  /// - Throws: ``StorageError`` with code `exists` when there is a file, `corrupt` when a node is damaged, `diskFull`
  ///   or `ioFailed` when the copy cannot be written.
  /// - Complexity: O(size of the file).
  public func writeCopy(
    toPath path: String, key: (any SealingKey)? = nil,
    progress: (_ nodes: Int, _ known: Int) throws -> Void = { _, _ in }
  ) throws {
    guard access(path, F_OK) != 0 else { throw Self.exists(path) }
    let draft = path + ".draft-" + String(UInt64.random(in: .min ... .max), radix: 36)
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
    if try !write(draft, key, progress) {
      try lockForWriting()
      defer { writerLock.unlock() }
      _ = try write(draft, key, progress)
    }
    try Self.settle(draft, path)
  }

  /// - Returns: false in memory, when a running transaction has changed logs.
  private func write(
    _ draft: String, _ key: (any SealingKey)?, _ progress: (Int, Int) throws -> Void
  ) throws -> Bool {
    try translating("write a copy") {
      try readingLatest { root in
        (root, try logs(of: root).all(loader))
      } _: { connection, version in
        let (root, logs) = version
        let states = Dictionary(logs.map { ($0.name, $0.state) }, uniquingKeysWith: { first, _ in first })
        guard !database.isInMemory || inMemoryLogs.withLock({ $0 == states }) else { return false }
        var copying = StoreCopy(source: loader.source, from: connection, to: try SQLiteConnection(path: draft))
        try copying.write(root, logs, key: key, progress)
        return true
      }
    }
  }

  private static func exists(_ path: String) -> StorageError {
    StorageError(.exists, "There is a file at '\(path)' already. Remove it, or name another path.")
  }

  /// Syncs the finished file and gives it its name.
  private static func settle(_ draft: String, _ path: String) throws {
    func failure(_ verb: String, _ code: Int32) -> StorageError {
      StorageError(
        code == ENOSPC ? .diskFull : .ioFailed,
        "Could not \(verb) the copy '\(path)': \(String(cString: strerror(code))). Nothing was left.")
    }
    let descriptor = Glibc.open(draft, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", errno) }
    let synced = fsync(descriptor) == 0 ? 0 : errno
    Glibc.close(descriptor)
    guard synced == 0 else { throw failure("sync", synced) }
    if link(draft, path) != 0 {
      switch errno {
      case EEXIST: throw exists(path)
      case EPERM, ENOTSUP, ENOSYS, EMLINK:
        // A file system without hard links.
        guard access(path, F_OK) != 0 else { throw exists(path) }
        guard rename(draft, path) == 0 else { throw failure("name", errno) }
      case let code: throw failure("name", code)
      }
    }
    let folder = Glibc.open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    Glibc.close(folder)
  }
}
