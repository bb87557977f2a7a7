public import Foundation
import StorageEngine

extension Realm {
  /// Whether a realm's file exists.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Removes a realm's file with everything that stands beside it.
  /// - Returns: whether there was one.
  /// - Throws: ``Error`` with code `alreadyOpen` while this process has the realm open.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    guard !RealmFile.isOpen(configuration.location) else {
      throw Error(
        .alreadyOpen, "All files associated with an open Realm cannot be deleted. Let go of it first.",
        fileURL: URL(fileURLWithPath: path))
    }
    let existed = FileManager.default.fileExists(atPath: path)
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      do { try FileManager.default.removeItem(atPath: path + suffix) } catch {
        throw Error(
          .fileOperationFailed, "\(path + suffix) cannot be removed.", fileURL: URL(fileURLWithPath: path), cause: error
        )
      }
    }
    return existed
  }

  /// Writes a compact copy of the newest version to a new file.
  /// - Throws: ``Error`` with code `fileExists` when there is one already.
  public func writeCopy(toFile fileURL: URL) throws {
    guard !FileManager.default.fileExists(atPath: fileURL.path) else {
      throw Error(.fileExists, "A file exists at \(fileURL.path).", fileURL: fileURL)
    }
    try translatingErrors { try view.file.store.writeCopy(toPath: fileURL.path) }
  }

  /// Brings a file to the configuration's schema version without opening it for use.
  public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
    _ = try Realm(configuration: configuration)
  }
}

/// The schema version of the realm in a file.
public func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
  let file = try RealmFile.open(.file(path: fileURL.path), options: RealmFile.Options(createsIfMissing: false))
  return try translatingErrors { try file.latestFrame().catalog.schemaVersion }
}
