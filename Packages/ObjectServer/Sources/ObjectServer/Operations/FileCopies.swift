import ByteCoding
import Cryptography
import Foundation
import SQLiteDatabase

/// Copies files completely and durably.
enum FileCopies {
  /// Copies a database, also while it is written: as of one moment, without unused pages.
  ///
  /// - Parameter progress: called now and then with the share that is copied.
  /// - Throws: ``ServerError/Code/backupFailure``; ``ServerError/Code/interrupted`` when it was cancelled.
  static func copyDatabase(
    _ source: String, to target: String, isCancelled: () -> Bool = { false },
    progress: (_ share: Double) -> Void = { _ in }
  ) throws(ServerError) {
    do {
      let connection = try SQLiteConnection(path: source, mode: .readWrite)
      connection.setBusyTimeout(.seconds(30))
      try connection.vacuum(into: target, isCancelled: isCancelled, progress: progress)
    } catch {
      if isCancelled() { throw .interrupted }
      throw ServerError(
        .backupFailure, "\(source) cannot be copied",
        remedy: "check the free space and permissions of the target; 'verify' tells whether the file is damaged",
        cause: error)
    }
    try finish(target)
  }

  /// The size of a file; 0 for none.
  static func size(_ path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
  }

  /// Copies a file that is not being written.
  ///
  /// - Throws: ``ServerError/Code/backupFailure``
  static func copy(_ source: String, to target: String) throws(ServerError) {
    do {
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      throw failure(target, PrivateFolder.reason(error))
    }
    try finish(target)
  }

  /// The SHA-256 of a file in hexadecimal digits, and its size. Nil when it cannot be read.
  static func digest(of path: String) -> (sha256: String, bytes: Int)? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
    let digest = data.withUnsafeBytes { Digest.sha256.hash($0) }
    return (hexText(digest), data.count)
  }

  /// Makes a folder that is there whole or not at all: `fill` writes it under another name, and it is renamed at the end.
  ///
  /// - Parameters:
  ///   - draft: its name until then; removed when `fill` throws.
  ///   - code: the code of the error when it cannot be renamed.
  static func make<Value>(
    _ folder: String, as draft: String, or code: ServerError.Code, fill: () throws(ServerError) -> Value
  ) throws(ServerError) -> Value {
    try PrivateFolder.make(draft)
    do throws(ServerError) {
      let value = try fill()
      guard rename(draft, folder) == 0 else {
        throw ServerError(
          code, "\(draft) cannot become \(folder): \(String(cString: strerror(errno)))",
          remedy: "check the permissions of the folder around it")
      }
      syncFolder((folder as NSString).deletingLastPathComponent)
      return value
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      throw error
    }
  }

  /// Makes a folder's entries durable.
  static func syncFolder(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Copies the keys of a data directory.
  ///
  /// - Returns: the names of the files.
  /// - Throws: ``ServerError/Code/backupFailure``
  @discardableResult
  static func copyKeys(from source: DataLayout, to target: DataLayout) throws(ServerError) -> [String] {
    try PrivateFolder.make(target.keys)
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: source.keys)) ?? []).sorted().filter {
      $0.hasSuffix(".key") || $0 == "admin.json"
    }
    for name in names { try copy(source.keys + "/" + name, to: target.keys + "/" + name) }
    return names
  }

  /// Makes the entries of a folder and of all folders in it durable.
  static func syncFolders(below path: String) {
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for name in found { syncFolder(path + "/" + name) }
    syncFolder(path)
  }

  /// Only the server's user may read it, and it is on disk.
  ///
  /// - Throws: ``ServerError/Code/backupFailure``
  static func finish(_ path: String) throws(ServerError) {
    chmod(path, 0o600)
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(path, String(cString: strerror(errno))) }
  }

  private static func failure(_ path: String, _ reason: String) -> ServerError {
    ServerError(
      .backupFailure, "\(path) cannot be written: \(reason)", remedy: "check its permissions and the free space")
  }
}
