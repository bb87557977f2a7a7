public import Foundation
import StorageEngine

extension Realm {
  /// Whether a realm's file exists.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Removes a realm's file with everything that stands beside it, save for the empty lock file.
  /// - Returns: whether there was one.
  /// - Throws: ``Error`` with code `alreadyOpen` while this or another process has the realm open.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    let url = URL(fileURLWithPath: path)
    let isInUse = try translatingErrors { try Store.isInUse(path: path) }
    guard !RealmFile.isOpen(configuration.location), !isInUse else {
      throw Error(
        .alreadyOpen, "All files associated with an open Realm cannot be deleted. Let go of it first.", fileURL: url)
    }
    var existed = false
    // The file goes first: what stands beside it means nothing without it.
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

  /// Writes a compact copy of the newest committed version to a new file; within a write transaction of this realm, with
  /// what it has done so far.
  /// - Parameter encryptionKey: 64 bytes to encrypt the copy with; nil writes it in clear, whatever this realm is
  ///   encrypted with.
  /// - Throws: ``Error`` with code `fileExists` when there is a file already.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try view.file.writeCopy(
      toPath: fileURL.path, encryptionKey: encryptionKey.map { Array($0) }, history: .kept, running: view.session)
  }

  /// Writes a compact copy of the newest committed version to the file of a configuration, under its key; within a write
  /// transaction of this realm, with what it has done so far.
  ///
  /// A copy for a local realm is a local realm. A copy for the realm on a server that this one is synchronised with, of
  /// the same user or another, goes on from here without downloading it again. A copy for any other realm on a server
  /// uploads everything that it holds when it is opened.
  ///
  /// - Throws: ``Error`` with code `fileExists` when there is a file already, `invalidInput` when the configuration
  ///   names none, or `fail` when the copy is for the same realm on the server and this one has changes that the server
  ///   has not acknowledged.
  public func writeCopy(configuration: Configuration) throws {
    guard case .file(let path) = configuration.location else {
      throw Error(.invalidInput, "A copy needs a file to be written to. Give the configuration a fileURL.")
    }
    let role = try translatingErrors { try HistoryRole.stored(in: view.file.store.latestSnapshot()) }
    try view.file.writeCopy(
      toPath: path, encryptionKey: configuration.encryptionKey.map { Array($0) },
      history: HistoryCopy(from: view.configuration, role: role, to: configuration), running: view.session)
  }

  /// Brings a file to the configuration's schema version without opening it for use.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    _ = try Realm(configuration: configuration)
  }
}

/// The schema version of the realm in a file.
/// - Parameter encryptionKey: the key of an encrypted file.
/// - Throws: ``Realm/Error``: `invalidDatabase` when there is none, else as opening does.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  guard FileManager.default.fileExists(atPath: fileURL.path) else {
    throw Realm.Error(
      .invalidDatabase, "Realm at path '\(fileURL.path)' has not been initialized. Check the path.", fileURL: fileURL)
  }
  var options = RealmFile.Options(createsIfMissing: false, encryptionKey: encryptionKey.map { Array($0) })
  options.isReadOnly = true
  let file = try RealmFile.open(.file(path: fileURL.path), options: options)
  return try translatingErrors { try file.latestFrame().catalog.schemaVersion }
}
