public import Foundation
import StorageEngine
import RecordStore

extension Realm {
  /// Whether the file of a configuration exists; false for a realm in memory.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Removes a realm's file and the log files beside it. The empty lock file stays.
  ///
  /// - Returns: whether there was a realm file.
  /// - Throws: ``Error``: `alreadyOpen` while this or another process has the realm open, `fileOperationFailed` when
  ///   the file system refuses.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    let url = URL(fileURLWithPath: path)
    let isInUse = try translatingErrors { try Store.isInUse(path: path) }
    guard !RealmFile.isOpen(configuration.location), !isInUse else {
      throw Error(
        .alreadyOpen, "All files associated with an open Realm cannot be deleted. Let go of it first.", fileURL: url)
    }
    var existed = false
    // The realm file goes first: without it the log files have no effect.
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      do { try FileManager.default.removeItem(atPath: path + suffix) } catch {
        throw Error(
          .fileOperationFailed, "\(path + suffix) cannot be removed. Check the permissions of its folder.",
          fileURL: url,
          cause: error)
      }
      existed = existed || suffix.isEmpty
    }
    return existed
  }

  /// Writes a compact copy of the newest committed version to a new file. Within a write transaction of this realm the
  /// copy includes the transaction's changes so far.
  ///
  /// - Parameter encryptionKey: 64 bytes that encrypt the copy; nil leaves it in clear, also when this realm is
  ///   encrypted.
  /// - Throws: ``Error``: `fileExists` when there is a file already, `fileAccess` or `outOfDiskSpace` when the disk
  ///   refuses.
  /// - Complexity: O(*n*) in the bytes of the realm.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try view.file.writeCopy(
      toPath: fileURL.path, encryptionKey: encryptionKey.map { Array($0) }, history: .kept, running: view.session)
  }

  /// Writes a compact copy of the newest committed version to the file of a configuration, encrypted with its key.
  /// Within a write transaction of this realm the copy includes the transaction's changes so far.
  ///
  /// A copy for a local realm is a local realm. A copy for the realm on a server that this one is synchronised with, of
  /// the same user or another, goes on from here without downloading it again. A copy for any other realm on a server
  /// uploads everything that it holds when it is opened.
  ///
  /// - Throws: ``Error`` with code `fileExists` when there is a file already, `invalidInput` when the configuration
  ///   names none, or `fail` when the copy is for the same realm on the server and this one has changes that the server
  ///   has not acknowledged.
  /// - Complexity: O(*n*) in the bytes of the realm.
  public func writeCopy(configuration: Configuration) throws {
    guard case .file(let path) = configuration.location else {
      throw Error(.invalidInput, "A copy needs a file to be written to. Give the configuration a fileURL.")
    }
    let role = try translatingErrors { try HistoryRole.stored(in: view.file.store.latestSnapshot()) }
    try view.file.writeCopy(
      toPath: path, encryptionKey: configuration.encryptionKey.map { Array($0) },
      history: HistoryCopy(from: view.configuration, role: role, to: configuration), running: view.session)
  }

  /// Migrates a file to the configuration's schema version.
  ///
  /// - Throws: ``Realm/Error``, as opening the realm does.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    _ = try Realm(configuration: configuration)
  }
}

/// The schema version of the realm in a file.
///
/// - Parameter encryptionKey: the 64 bytes of an encrypted file's key; nil for a file in clear.
/// - Throws: ``Realm/Error``: `invalidDatabase` when there is no such file, otherwise as opening a realm does.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  guard FileManager.default.fileExists(atPath: fileURL.path) else {
    throw Realm.Error(
      .invalidDatabase, "Realm at path '\(fileURL.path)' has not been initialized.", fileURL: fileURL)
  }
  var options = RealmFile.Options(createsIfMissing: false, encryptionKey: encryptionKey.map { Array($0) })
  options.isReadOnly = true
  let file = try RealmFile.open(.file(path: fileURL.path), options: options)
  return try translatingErrors { try file.latestReadView().catalog.schemaVersion }
}
